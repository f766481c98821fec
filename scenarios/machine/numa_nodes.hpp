#pragma once
#include <cstddef>
#include <memory>
#include <vector>

namespace assay::scenarios::machine {

/// The NUMA nodes whose CPUs this process may use, and memory bound to one of them, by hwloc.
class NumaNodes {
 public:
  NumaNodes();
  ~NumaNodes();
  NumaNodes(const NumaNodes&) = delete;
  NumaNodes& operator=(const NumaNodes&) = delete;

  /// Numbers of the operating system.
  const std::vector<int>& nodes() const { return nodes_; }
  /// Moves the calling thread to the CPUs of a node. Throws std::runtime_error where the system refuses.
  void run_on(int node);
  /// Memory of a node, page aligned, bound strictly. Throws std::runtime_error where the system refuses.
  std::shared_ptr<std::byte> allocate_on(int node, std::size_t bytes);

 private:
  struct Topology;
  std::shared_ptr<Topology> topology_;  // shared with the memory, which must be given back to it
  std::vector<int> nodes_;
};

}  // namespace assay::scenarios::machine
