#include "scenarios/machine/numa_nodes.hpp"

#include <hwloc.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

namespace assay::scenarios::machine {

struct NumaNodes::Topology {
  hwloc_topology_t handle = nullptr;
  hwloc_bitmap_t allowed = hwloc_bitmap_alloc();

  Topology() {
    if (hwloc_topology_init(&handle) != 0 || hwloc_topology_load(handle) != 0)
      throw std::runtime_error("hwloc: cannot read this machine's topology");
    if (hwloc_get_cpubind(handle, allowed, HWLOC_CPUBIND_PROCESS) != 0)
      hwloc_bitmap_copy(allowed, hwloc_topology_get_allowed_cpuset(handle));
  }
  ~Topology() {
    hwloc_bitmap_free(allowed);
    if (handle != nullptr) hwloc_topology_destroy(handle);
  }
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;

  hwloc_obj_t node(int number) const {
    const auto found = hwloc_get_numanode_obj_by_os_index(handle, static_cast<unsigned>(number));
    if (found == nullptr) throw std::runtime_error("no NUMA node " + std::to_string(number) + " on this machine");
    return found;
  }
};

namespace {

void require(bool done, const std::string& what, int node) {
  if (!done) throw std::system_error(errno, std::generic_category(), what + " NUMA node " + std::to_string(node));
}

}  // namespace

NumaNodes::NumaNodes() : topology_(std::make_shared<Topology>()) {
  hwloc_obj_t node = nullptr;
  while ((node = hwloc_get_next_obj_by_type(topology_->handle, HWLOC_OBJ_NUMANODE, node)) != nullptr)
    if (hwloc_bitmap_intersects(node->cpuset, topology_->allowed)) nodes_.push_back(static_cast<int>(node->os_index));
}

NumaNodes::~NumaNodes() = default;

void NumaNodes::run_on(int node) {
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> cpus{
      hwloc_bitmap_dup(topology_->node(node)->cpuset), &hwloc_bitmap_free};
  hwloc_bitmap_and(cpus.get(), cpus.get(), topology_->allowed);
  require(hwloc_set_cpubind(topology_->handle, cpus.get(), HWLOC_CPUBIND_THREAD) == 0, "cannot run on", node);
}

std::shared_ptr<std::byte> NumaNodes::allocate_on(int node, std::size_t bytes) {
  void* memory = hwloc_alloc_membind(topology_->handle, bytes, topology_->node(node)->nodeset, HWLOC_MEMBIND_BIND,
                                     HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_STRICT);
  require(memory != nullptr, "cannot allocate on", node);
  return {static_cast<std::byte*>(memory),
          [topology = topology_, bytes](std::byte* data) { hwloc_free(topology->handle, data, bytes); }};
}

}  // namespace assay::scenarios::machine
