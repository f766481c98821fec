#include "harness/machine/affinity.hpp"

#include <sched.h>

#include <stdexcept>

namespace assay::harness {

std::vector<int> allowed_cpus() {
  // A machine with more than 1024 CPUs needs a larger mask: it grows until the kernel takes it.
  for (int capacity = CPU_SETSIZE; capacity <= CPU_SETSIZE << 6; capacity *= 2) {
    cpu_set_t* mask = CPU_ALLOC(static_cast<std::size_t>(capacity));
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
    const bool known = mask != nullptr && sched_getaffinity(0, bytes, mask) == 0;
    std::vector<int> cpus;
    for (int cpu = 0; known && cpu < capacity; ++cpu)
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, mask)) cpus.push_back(cpu);
    CPU_FREE(mask);
    if (known) return cpus;
  }
  throw std::runtime_error("sched_getaffinity: cannot read which CPUs this process may use");
}

}  // namespace assay::harness
