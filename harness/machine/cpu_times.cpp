#include "harness/machine/cpu_times.hpp"

#include <array>

#include "harness/machine/read_text.hpp"

namespace assay::harness {
namespace {

// the columns of a cpu line in the order of proc(5)
constexpr std::array columns{&CpuTimes::user,    &CpuTimes::nice, &CpuTimes::system,   &CpuTimes::idle,
                             &CpuTimes::io_wait, &CpuTimes::irq,  &CpuTimes::soft_irq, &CpuTimes::steal};

}  // namespace

CpuTimesByCpu parse_cpu_times(std::string_view proc_stat) {
  CpuTimesByCpu times;
  for (const auto line : lines_of(proc_stat)) {
    const auto words = words_of(line);
    if (words.empty() || !words[0].starts_with("cpu")) continue;
    const auto cpu = integer_of(words[0].substr(3));
    if (!cpu) continue;  // the first line sums all CPUs
    auto& entry = times[static_cast<int>(*cpu)];
    for (std::size_t i = 0; i < columns.size() && i + 1 < words.size(); ++i)
      entry.*columns[i] = static_cast<std::uint64_t>(integer_of(words[i + 1]).value_or(0));
  }
  return times;
}

CpuTimesByCpu cpu_times() {
  const auto text = read_text("/proc/stat");
  return text ? parse_cpu_times(*text) : CpuTimesByCpu{};
}

CpuTimes sum(const CpuTimesByCpu& times, std::span<const int> cpus) {
  CpuTimes all;
  const auto add = [&all](const CpuTimes& one) {
    for (const auto column : columns) all.*column += one.*column;
  };
  if (cpus.empty())
    for (const auto& [cpu, one] : times) add(one);
  for (const int cpu : cpus)
    if (const auto found = times.find(cpu); found != times.end()) add(found->second);
  return all;
}

std::optional<double> steal_share(const CpuTimes& before, const CpuTimes& after) {
  if (after.total() <= before.total() || after.steal < before.steal) return std::nullopt;
  return static_cast<double>(after.steal - before.steal) / static_cast<double>(after.total() - before.total());
}

}  // namespace assay::harness
