#pragma once
#include <cstdint>

namespace assay::harness {

/// Ticks since boot, summed over all CPUs (first line of /proc/stat); zeros where it cannot be read.
struct ProcessorTime {
  std::int64_t total = 0, stolen = 0;
};

ProcessorTime processor_time();

/// Share of the machine's CPU time between the two that the hypervisor gave to others, in percent. Ticks are 10 ms:
/// coarse for short cases.
double steal_percent(const ProcessorTime& before, const ProcessorTime& after);

}  // namespace assay::harness
