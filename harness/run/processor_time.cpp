#include "harness/run/processor_time.hpp"

#include <fstream>
#include <string>

namespace assay::harness {

ProcessorTime processor_time() {
  std::ifstream stat("/proc/stat");
  std::string label;
  stat >> label;
  ProcessorTime result;
  std::int64_t ticks = 0;
  for (int column = 0; column < 8 && stat >> ticks;
       ++column) {  // user nice system idle iowait irq softirq steal; guests are inside user
    result.total += ticks;
    if (column == 7) result.stolen = ticks;
  }
  return result;
}

double steal_percent(const ProcessorTime& before, const ProcessorTime& after) {
  const std::int64_t total = after.total - before.total;
  return total <= 0 ? 0 : 100.0 * static_cast<double>(after.stolen - before.stolen) / static_cast<double>(total);
}

}  // namespace assay::harness
