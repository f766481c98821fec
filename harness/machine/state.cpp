#include "harness/machine/state.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

#include "harness/machine/affinity.hpp"
#include "harness/machine/busy_processes.hpp"
#include "harness/machine/clock.hpp"
#include "harness/machine/cpu_times.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/memory.hpp"
#include "harness/machine/read_text.hpp"

namespace assay::harness {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

constexpr double default_load_limit = 0.5;  // share of the allowed processors
constexpr double max_steal = 0.02;          // share; the same bound as the one that makes a run judge nothing

void put(json& state, const std::string& name, const json& value, const std::string& reason) {
  state[name] = value;
  if (value.is_null()) state["unreadable"][name] = reason;
}

std::vector<fs::path> cpu_folders(const fs::path& root) {
  std::vector<fs::path> folders;
  for (const auto& entry : entries_of(root / "sys/devices/system/cpu")) {
    const std::string name = entry.filename();
    if (name.starts_with("cpu") && counter_of(std::string_view{name}.substr(3))) folders.push_back(entry);
  }
  return folders;
}

// one name where all CPUs agree, else all of them: "performance, powersave"
json governor(const fs::path& root) {
  std::set<std::string> governors;
  for (const auto& cpu : cpu_folders(root))
    if (const auto text = read_text(cpu / "cpufreq/scaling_governor")) governors.emplace(printable(trimmed(*text)));
  std::string all;
  for (const auto& one : governors) all += (all.empty() ? "" : ", ") + one;
  return all.empty() ? json(nullptr) : json(all);
}

json turbo(const fs::path& root) {
  if (const auto no_turbo = read_integer(root / "sys/devices/system/cpu/intel_pstate/no_turbo")) return *no_turbo == 0;
  if (const auto boost = read_integer(root / "sys/devices/system/cpu/cpufreq/boost")) return *boost != 0;
  return nullptr;
}

json thermal_throttles(const fs::path& root) {
  std::optional<long long> count;
  for (const auto& cpu : cpu_folders(root))
    if (const auto one = read_integer(cpu / "thermal_throttle/core_throttle_count")) count = count.value_or(0) + *one;
  return count ? json(*count) : json(nullptr);
}

// "always [madvise] never" -> "madvise"
json chosen(const std::optional<std::string>& text) {
  if (!text) return nullptr;
  const auto open = text->find('['), close = text->find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return nullptr;
  return printable(std::string_view{*text}.substr(open + 1, close - open - 1));
}

json swap_used(const fs::path& root) {
  const auto text = read_text(root / "proc/meminfo").value_or("");
  const auto total = parse_memory_field(text, "SwapTotal"), unused = parse_memory_field(text, "SwapFree");
  return total && unused && *total >= *unused ? json(*total - *unused) : json(nullptr);
}

json load_average() {
  double load[3] = {};
  return getloadavg(load, 3) == 3 ? json(load) : json(nullptr);
}

void put_sampled(json& state, std::chrono::milliseconds sample) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto cpus_before = cpu_times();
  const auto processes_before = process_times();
  std::this_thread::sleep_for(sample);
  const auto processes_after = process_times();
  const auto passed = elapsed(cpus_before, cpu_times(), allowed_cpus());
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();

  const auto steal = steal_share(passed);
  const auto busy = busy_share(passed);
  put(state, "steal_share", steal ? json(*steal) : json(nullptr), "/proc/stat cannot be read, or no tick passed");
  put(state, "cpu_busy_share", busy ? json(*busy) : json(nullptr), "/proc/stat cannot be read, or no tick passed");
  state["busy_processes"] = json::array();
  const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  for (const auto& one : busy_processes(processes_before, processes_after, seconds, ticks, getpid()))
    state["busy_processes"].push_back({{"pid", one.pid}, {"name", one.name}, {"cores", one.cores}});
}

}  // namespace

double load_limit() {
  const char* const text = std::getenv("ASSAY_LOAD_LIMIT");
  if (!text || !*text) return default_load_limit;
  char* end = nullptr;
  const double limit = std::strtod(text, &end);
  if (*end != '\0' || !(limit > 0) || !(limit <= 1))
    throw std::invalid_argument(std::string("ASSAY_LOAD_LIMIT: expected a share above 0, 1 at most, found '") + text +
                                "'");
  return limit;
}

json machine_settings(const fs::path& root) {
  json state{{"unreadable", json::object()}};
  put(state, "governor", governor(root), "no cpufreq below /sys/devices/system/cpu (a virtual machine, as a rule)");
  put(state, "turbo", turbo(root), "neither intel_pstate/no_turbo nor cpufreq/boost below /sys/devices/system/cpu");
  const auto smt = read_integer(root / "sys/devices/system/cpu/smt/active");
  put(state, "smt", smt ? json(*smt != 0) : json(nullptr), "/sys/devices/system/cpu/smt/active cannot be read");
  put(state, "swap_used_bytes", swap_used(root), "/proc/meminfo does not say");
  put(state, "transparent_huge_pages", chosen(read_text(root / "sys/kernel/mm/transparent_hugepage/enabled")),
      "/sys/kernel/mm/transparent_hugepage/enabled cannot be read");
  const auto aslr = read_integer(root / "proc/sys/kernel/randomize_va_space");
  put(state, "aslr", aslr ? json(*aslr) : json(nullptr), "/proc/sys/kernel/randomize_va_space cannot be read");
  put(state, "thermal_throttles", thermal_throttles(root),
      "no thermal_throttle counters below /sys/devices/system/cpu");
  return state;
}

json machine_state(std::chrono::milliseconds sample) {
  json state = machine_settings();
  state["time"] = utc_now();
  put(state, "load_average", load_average(), "getloadavg failed");
  state["load_limit"] = load_limit();
  const auto environment = environment_report();
  state["environment"] = {{"cleared", environment.cleared}, {"reported", environment.reported}};
  put_sampled(state, sample);
  return state;
}

std::vector<std::string> concerns(const json& state) {
  std::vector<std::string> found;
  const auto number = [&state](const char* name) {
    const auto at = state.find(name);
    return at != state.end() && at->is_number() ? at->get<double>() : 0.0;
  };
  const auto percent = [](double share) { return std::to_string(std::lround(100 * share)) + " %"; };
  if (number("steal_share") > max_steal)
    found.push_back("the hypervisor gave " + percent(number("steal_share")) + " of the CPU time to others (more than " +
                    percent(max_steal) + ")");
  for (const auto& one : state.value("busy_processes", json::array()))
    found.push_back("process " + one.value("name", "?") + " (" + std::to_string(one.value("pid", 0)) + ") uses " +
                    percent(one.value("cores", 0.0)) + " of a core");
  return found;
}

}  // namespace assay::harness
