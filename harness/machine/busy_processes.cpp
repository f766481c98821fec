#include "harness/machine/busy_processes.hpp"

#include <algorithm>
#include <filesystem>

#include "harness/machine/read_text.hpp"

namespace assay::harness {
namespace {
namespace fs = std::filesystem;

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
  // behind the name, from field 3 of proc(5): state, parent, …; fields 14 and 15 are user and system time
  const auto rest = words_of(stat.substr(close + 1));
  if (rest.size() < 13) return std::nullopt;
  const auto pid = integer_of(stat.substr(0, open)), parent = integer_of(rest[1]);
  const auto user = integer_of(rest[11]), system = integer_of(rest[12]);
  if (!pid || !parent || !user || !system) return std::nullopt;
  return ProcessTimes{static_cast<int>(*pid), static_cast<int>(*parent),
                      std::string{stat.substr(open + 1, close - open - 1)},
                      static_cast<std::uint64_t>(*user + *system)};
}

std::map<int, ProcessTimes> process_times() {
  std::map<int, ProcessTimes> processes;
  std::error_code ignored;  // processes end while they are listed
  for (fs::directory_iterator entry{"/proc", ignored}, end; !ignored && entry != end; entry.increment(ignored)) {
    if (!integer_of(entry->path().filename().native())) continue;
    const auto text = read_text(entry->path() / "stat");
    if (auto one = text ? parse_process_stat(*text) : std::nullopt) processes.emplace(one->pid, *one);
  }
  return processes;
}

std::vector<BusyProcess> busy_processes(const std::map<int, ProcessTimes>& before,
                                        const std::map<int, ProcessTimes>& after, double seconds,
                                        double ticks_per_second, int self, double least) {
  std::vector<BusyProcess> busy;
  for (const auto& [pid, now] : after) {
    const auto earlier = before.find(pid);
    const std::uint64_t start = earlier == before.end() ? 0 : earlier->second.ticks;  // began in between
    if (now.ticks < start || descends_from(pid, self, after)) continue;
    const double cores = static_cast<double>(now.ticks - start) / ticks_per_second / seconds;
    if (cores > least) busy.push_back({pid, now.name, cores});
  }
  std::sort(busy.begin(), busy.end(), [](const auto& a, const auto& b) { return a.cores > b.cores; });
  return busy;
}

}  // namespace assay::harness
