#include "harness/machine/cpu_times.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "harness/machine/read_text.hpp"

namespace assay::harness {
namespace {

// the columns of a cpu line in the order of proc(5)
constexpr std::array columns{&CpuTimes::user,    &CpuTimes::nice, &CpuTimes::system,   &CpuTimes::idle,
                             &CpuTimes::io_wait, &CpuTimes::irq,  &CpuTimes::soft_irq, &CpuTimes::steal};

std::optional<double> share_of(std::uint64_t part, const CpuTimes& passed) {
  if (passed.total() == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(passed.total());
}

}  // namespace

CpuTimesByCpu parse_cpu_times(std::string_view proc_stat) {
  CpuTimesByCpu times;
  for (const auto line : lines_of(proc_stat)) {
    const auto words = words_of(line);
    if (words.empty() || !words[0].starts_with("cpu")) continue;
    const auto cpu = counter_of(words[0].substr(3));
    if (!cpu || *cpu > std::numeric_limits<int>::max()) continue;  // the first line sums all CPUs
    auto& entry = times[static_cast<int>(*cpu)];
    for (std::size_t i = 0; i < columns.size() && i + 1 < words.size(); ++i)
      entry.*columns[i] = counter_of(words[i + 1]).value_or(0);
  }
  return times;
}

CpuTimesByCpu cpu_times() {
  const auto text = read_text("/proc/stat");
  return text ? parse_cpu_times(*text) : CpuTimesByCpu{};
}

CpuTimes elapsed(const CpuTimesByCpu& before, const CpuTimesByCpu& after, std::span<const int> cpus) {
  CpuTimes passed;
  for (const auto& [cpu, now] : after) {
    const auto earlier = before.find(cpu);
    if (earlier == before.end()) continue;
    if (!cpus.empty() && std::find(cpus.begin(), cpus.end(), cpu) == cpus.end()) continue;
    for (const auto column : columns)
      if (now.*column > earlier->second.*column) passed.*column += now.*column - earlier->second.*column;
  }
  return passed;
}

std::optional<double> steal_share(const CpuTimes& passed) { return share_of(passed.steal, passed); }

std::optional<double> busy_share(const CpuTimes& passed) {
  return share_of(passed.total() - passed.idle - passed.io_wait - passed.steal, passed);
}

}  // namespace assay::harness
