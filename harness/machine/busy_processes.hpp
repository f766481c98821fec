#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::harness {

/// One process at one moment, from /proc/PID/stat.
struct ProcessTimes {
  int pid = 0, parent = 0;
  std::string name;
  std::uint64_t ticks = 0;    // user and system time since its start, in ticks of sysconf(_SC_CLK_TCK)
  std::uint64_t started = 0;  // ticks after boot: tells two processes of one number apart

  bool operator==(const ProcessTimes&) const = default;
};

/// Parses /proc/PID/stat. The name may hold blanks and parentheses.
std::optional<ProcessTimes> parse_process_stat(std::string_view stat);

/// All processes that this one may read, by number.
std::map<int, ProcessTimes> process_times();

struct BusyProcess {
  int pid = 0;
  std::string name;
  double cores = 0;  // of CPU time a second
};

/// The processes that used more than `min_cores` cores between two readings `seconds` apart, busiest first. `self` and
/// its descendants are left out.
std::vector<BusyProcess> busy_processes(const std::map<int, ProcessTimes>& before,
                                        const std::map<int, ProcessTimes>& after, double seconds,
                                        double ticks_per_second, int self, double min_cores = 0.2);

}  // namespace assay::harness
