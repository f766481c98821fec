#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace assay::harness {

/// All caches of one level and kind.
struct CacheLevel {
  int level = 0;
  std::string kind;         // "data", "instruction", "unified"
  std::uint64_t bytes = 0;  // of one
  int count = 0;
  int shared_by = 0;  // logical CPUs that share one
};

/// The machine's processors and caches as hwloc sees them, whatever of them this process may use.
struct Topology {
  int sockets = 0, cores = 0, logical = 0, threads_per_core = 0, numa_nodes = 0;
  std::vector<CacheLevel> caches;  // from the core outwards
};

/// Throws std::runtime_error where hwloc cannot look.
Topology topology();

/// CPUs that this process may run on (its affinity mask), ascending.
std::vector<int> allowed_cpus();

}  // namespace assay::harness
