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

/// All of the machine's processors and caches as hwloc sees them, also those that this process may not use.
struct Topology {
  int sockets = 0, cores = 0, logical = 0, threads_per_core = 0, numa_nodes = 0;
  std::vector<CacheLevel> caches;  // from the core outwards
};

/// Throws std::runtime_error where hwloc fails.
Topology topology();

}  // namespace assay::harness
