#include "harness/machine/busy_processes.hpp"

#include <algorithm>
#include <limits>

#include "harness/machine/read_text.hpp"

namespace assay::harness {
namespace {

std::optional<int> process_number(std::string_view text) {
  const auto number = counter_of(text);
  if (!number || *number > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*number);
}

bool descends_from(int pid, int ancestor, const std::map<int, ProcessTimes>& processes) {
  // the count ends a loop that a reused number could make
  for (std::size_t step = 0; step <= processes.size(); ++step) {
    if (pid == ancestor) return true;
    const auto found = processes.find(pid);
    if (found == processes.end()) return false;
    pid = found->second.parent;
  }
  return false;
}

}  // namespace

std::optional<ProcessTimes> parse_process_stat(std::string_view stat) {
  const auto open = stat.find('('), close = stat.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  // behind the name, from field 3 of proc(5): state, parent, …; fields 14, 15 and 22 are user time, system time and
  // start
  const auto rest = words_of(stat.substr(close + 1));
  if (rest.size() < 20) return std::nullopt;
  const auto pid = process_number(stat.substr(0, open)), parent = process_number(rest[1]);
  const auto user = counter_of(rest[11]), system = counter_of(rest[12]), started = counter_of(rest[19]);
  if (!pid || !parent || !user || !system || !started) return std::nullopt;
  return ProcessTimes{*pid, *parent, printable(stat.substr(open + 1, close - open - 1)), *user + *system, *started};
}

std::map<int, ProcessTimes> process_times() {
  std::map<int, ProcessTimes> processes;
  for (const auto& folder : entries_of("/proc")) {
    if (!process_number(folder.filename().native())) continue;
    const auto text = read_text(folder / "stat");
    if (auto one = text ? parse_process_stat(*text) : std::nullopt) processes.emplace(one->pid, *one);
  }
  return processes;
}

std::vector<BusyProcess> busy_processes(const std::map<int, ProcessTimes>& before,
                                        const std::map<int, ProcessTimes>& after, double seconds,
                                        double ticks_per_second, int self, double min_cores) {
  std::vector<BusyProcess> busy;
  for (const auto& [pid, now] : after) {
    const auto earlier = before.find(pid);
    const bool same = earlier != before.end() && earlier->second.started == now.started;  // else it began in between
    const std::uint64_t used = same ? earlier->second.ticks : 0;
    if (now.ticks < used || descends_from(pid, self, after)) continue;
    const double cores = static_cast<double>(now.ticks - used) / ticks_per_second / seconds;
    if (cores > min_cores) busy.push_back({pid, now.name, cores});
  }
  std::sort(busy.begin(), busy.end(), [](const auto& a, const auto& b) { return a.cores > b.cores; });
  return busy;
}

}  // namespace assay::harness
