#include "harness/machine/topology.hpp"

#include <hwloc.h>

#include <memory>
#include <stdexcept>
#include <type_traits>

namespace assay::harness {
namespace {

struct Destroy {
  void operator()(hwloc_topology_t handle) const { hwloc_topology_destroy(handle); }
};
using Handle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, Destroy>;

Handle load() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw std::runtime_error("hwloc: cannot create a topology");
  Handle handle{raw};
  // By default hwloc leaves out instruction caches, and processors outside of the cpuset, which may differ from start
  // to start.
  hwloc_topology_set_icache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL);
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (hwloc_topology_load(raw) != 0) throw std::runtime_error("hwloc: cannot read this machine's topology");
  return handle;
}

int count_of(hwloc_topology_t handle, hwloc_obj_type_t type) {
  const int count = hwloc_get_nbobjs_by_type(handle, type);
  return count > 0 ? count : 0;
}

std::string kind_of(hwloc_obj_cache_type_t type) {
  if (type == HWLOC_OBJ_CACHE_DATA) return "data";
  return type == HWLOC_OBJ_CACHE_INSTRUCTION ? "instruction" : "unified";
}

std::vector<CacheLevel> caches_of(hwloc_topology_t handle) {
  std::vector<CacheLevel> caches;
  for (const auto type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L2ICACHE,
                          HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L3ICACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE}) {
    const hwloc_obj_t first = hwloc_get_obj_by_type(handle, type, 0);
    if (first == nullptr) continue;
    const auto& cache = first->attr->cache;
    caches.push_back({static_cast<int>(cache.depth), kind_of(cache.type), cache.size, count_of(handle, type),
                      hwloc_bitmap_weight(first->cpuset)});
  }
  return caches;
}

}  // namespace

Topology topology() {
  const Handle handle = load();
  Topology found;
  found.sockets = count_of(handle.get(), HWLOC_OBJ_PACKAGE);
  found.logical = count_of(handle.get(), HWLOC_OBJ_PU);
  found.cores = count_of(handle.get(), HWLOC_OBJ_CORE);
  found.threads_per_core = found.cores > 0 ? found.logical / found.cores : 0;
  found.numa_nodes = count_of(handle.get(), HWLOC_OBJ_NUMANODE);
  found.caches = caches_of(handle.get());
  return found;
}

}  // namespace assay::harness
