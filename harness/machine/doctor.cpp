#include "harness/machine/doctor.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/machine/environment_table.hpp"
#include "harness/text/format_number.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

constexpr double max_steal = 0.02, busy_doubtful = 0.1;  // shares of the allowed processors

struct Patient {
  const json& identity;
  const json& state;

  json of_state(const char* name) const { return state.value(name, json()); }
  int cores() const { return identity.value("cores", 0); }
  /// The state's reason for a missing reading.
  std::string missing(const char* name) const {
    return "not readable: " + state.value("unreadable", json::object()).value(name, "unknown");
  }
};

std::string percent(double share) { return format_decimals(share * 100, 1) + " %"; }

Finding unreadable(const char* name, const Patient& p, const char* field) {
  return {name, p.missing(field), Fitness::note, "its effect is unknown", ""};
}

Finding build(const Patient& p) {
  const json build = p.identity.value("build", json::object());
  const std::string flags = build.value("flags", "unknown flags");
  const bool sanitized = flags.find("sanitize=") != std::string::npos && flags.find("sanitize= ") == std::string::npos;
  if (build.value("optimized", true) && !sanitized) return {"build", "optimised (" + flags + ")", Fitness::ok, "", ""};
  return {"build", flags, Fitness::unfit,
          "a debug or sanitizer build spends its time in other places than a release build",
          "start the program by ./assay, which builds the preset release"};
}

Finding processors(const Patient& p) {
  const int logical = p.identity.value("topology", json::object()).value("logical_cpus", 0), cores = p.cores();
  const std::string value = std::to_string(cores) + " of " + std::to_string(logical) + " may be used";
  if (cores >= logical) return {"processors", value, Fitness::ok, "", ""};
  return {"processors", value, Fitness::note, "programs on the other processors still share caches and memory",
          "taskset -p -c 0-" + std::to_string(std::max(0, logical - 1)) + " $$"};
}

Finding quota(const Patient& p) {
  const json limit = p.identity.value("limits", json::object()).value("cpus", json());
  if (!limit.is_number()) return {"cgroup quota", "none", Fitness::ok, "", ""};
  const double cpus = limit;
  const std::string value = format_number(cpus) + " CPUs",
                    fix = "docker update --cpus 0 CONTAINER, or systemctl set-property UNIT CPUQuota=";
  if (cpus >= p.cores()) return {"cgroup quota", value, Fitness::ok, "", ""};
  return {"cgroup quota", value, cpus < 1 ? Fitness::unfit : Fitness::doubtful,
          "once the quota is used up, the kernel stops every thread for the rest of the period", fix};
}

Finding load(const Patient& p) {
  const json busy = p.of_state("cpu_busy_share"), average = p.of_state("load_average");
  if (!busy.is_number()) return unreadable("load", p, "cpu_busy_share");
  const double share = busy;
  const std::string value = percent(share) + " busy with others, load average " +
                            (average.is_array() ? format_number(average.at(0)) : "unknown");
  if (share <= busy_doubtful) return {"load", value, Fitness::ok, "", ""};
  return {"load", value, share > p.state.value("load_limit", 0.5) ? Fitness::unfit : Fitness::doubtful,
          "other processes take the processors that the cases need, and so the slowest rounds measure them",
          "top -o %CPU, and end or move what is not needed"};
}

Finding steal(const Patient& p) {
  const json share = p.of_state("steal_share");
  if (!share.is_number()) return unreadable("steal", p, "steal_share");
  if (share <= max_steal) return {"steal", percent(share), Fitness::ok, "", ""};
  return {"steal", percent(share), Fitness::unfit,
          "the hypervisor gives the processors to other machines; above 2 % a run judges nothing",
          "use a machine that has processors of its own"};
}

Finding heavy(const Patient& p) {
  std::string value;
  int pid = 0;
  for (const json& one : p.of_state("busy_processes").is_array() ? p.of_state("busy_processes") : json::array()) {
    if (pid == 0) pid = one.value("pid", 0);
    value += (value.empty() ? "" : ", ") + one.value("name", "?") + " (" + std::to_string(one.value("pid", 0)) + ", " +
             format_number(one.value("cores", 0.0)) + " cores)";
  }
  if (value.empty()) return {"heavy processes", "none", Fitness::ok, "", ""};
  return {"heavy processes", value, Fitness::doubtful,
          "these processes share processors, caches and memory with the cases",
          "kill -STOP " + std::to_string(pid) + ", and kill -CONT afterwards"};
}

Finding governor(const Patient& p) {
  const json value = p.of_state("governor");
  if (!value.is_string()) return unreadable("governor", p, "governor");
  if (value == "performance") return {"governor", value, Fitness::ok, "", ""};
  return {"governor", value, Fitness::doubtful, "the clock rate follows the load, so short cases run at a lower rate",
          "sudo cpupower frequency-set -g performance"};
}

Finding turbo(const Patient& p) {
  const json value = p.of_state("turbo");
  if (!value.is_boolean()) return unreadable("turbo", p, "turbo");
  if (!value.get<bool>()) return {"turbo", "off", Fitness::ok, "", ""};
  return {"turbo", "on", Fitness::note,
          "the clock rate depends on heat and on other cores; since rounds are paired, this adds noise but no bias",
          "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo (AMD: echo 0 | sudo tee "
          "/sys/devices/system/cpu/cpufreq/boost)"};
}

Finding smt(const Patient& p) {
  const json value = p.of_state("smt");
  if (!value.is_boolean()) return unreadable("SMT", p, "smt");
  if (!value.get<bool>()) return {"SMT", "off", Fitness::ok, "", ""};
  return {"SMT", "on", Fitness::note,
          "two threads on one core slow each other down, and which threads share a core may change",
          "echo off | sudo tee /sys/devices/system/cpu/smt/control"};
}

Finding huge_pages(const Patient& p) {
  const json value = p.of_state("transparent_huge_pages");
  if (!value.is_string()) return unreadable("transparent huge pages", p, "transparent_huge_pages");
  if (value != "always") return {"transparent huge pages", value, Fitness::ok, "", ""};
  return {"transparent huge pages", value, Fitness::note,
          "a process gets huge pages only where enough free memory is contiguous, so processes differ",
          "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"};
}

Finding randomisation(const Patient& p) {
  const json value = p.of_state("aslr");
  if (!value.is_number()) return unreadable("address randomisation", p, "aslr");
  if (value == 2) return {"address randomisation", "2 (full)", Fitness::ok, "", ""};
  return {"address randomisation", value.dump(), Fitness::doubtful,
          "every process has the same memory layout, so its effect is a bias that more rounds do not remove",
          "sudo sysctl kernel.randomize_va_space=2"};
}

Finding heat(const Patient& p) {
  const json value = p.of_state("thermal_throttles");
  if (!value.is_number()) return unreadable("thermal state", p, "thermal_throttles");
  if (value == 0) return {"thermal state", "never throttled since boot", Fitness::ok, "", ""};
  return {"thermal state", "throttled " + value.dump() + " times since boot", Fitness::note,
          "a hot processor lowers its clock rate in the middle of a run",
          "cool it better, or give --threads fewer cores"};
}

Finding swap(const Patient& p) {
  const json value = p.of_state("swap_used_bytes");
  if (!value.is_number()) return unreadable("swap", p, "swap_used_bytes");
  if (value == 0) return {"swap", "none used", Fitness::ok, "", ""};
  return {"swap", format_quantity(value, "byte") + " used", Fitness::note,
          "reading a page back from disk takes longer than most cases", "sudo swapoff -a && sudo swapon -a"};
}

/// One finding for what was cleared, and one for each variable that is reported.
std::vector<Finding> environment_findings(const EnvironmentReport& environment) {
  std::string cleared;
  for (const auto& name : environment.cleared) cleared += (cleared.empty() ? "cleared: " : ", ") + name;
  std::vector<Finding> findings{
      {"environment", cleared.empty() ? "holds nothing to clear" : cleared, Fitness::ok, "", ""}};
  for (const auto& [name, value] : environment.reported) {
    const EnvironmentRule* rule = rule_of(name);
    findings.push_back({"environment", name + "=" + value, Fitness::note,
                        rule == nullptr ? "" : std::string{rule->reader} + ": " + std::string{rule->reason},
                        "unset " + name});
  }
  return findings;
}

Finding gpu(const Patient& p) {
  const json models = p.identity.value("gpus", json());
  if (!models.is_array()) return {"GPU", "none", Fitness::ok, "", ""};
  const json clocks = p.of_state("gpu_clocks");
  if (!clocks.is_string())
    return {"GPU", models.dump() + ", clocks not readable: nvidia-smi did not answer", Fitness::note,
            "its effect is unknown", ""};
  return {"GPU", clocks, Fitness::note, "its clock rate follows heat and power",
          "sudo nvidia-smi -lgc CLOCK, where CLOCK is a rate that it keeps under load"};
}

}  // namespace

const std::string& name_of(Fitness fitness) {
  static const std::array<std::string, 4> names{"ok", "note", "doubtful", "unfit"};
  return names[static_cast<std::size_t>(fitness)];
}

std::vector<Finding> diagnose(const json& identity, const json& state, const EnvironmentReport& environment) {
  const Patient patient{identity, state};
  std::vector<Finding> findings;
  for (const auto& look :
       {build, processors, quota, load, steal, heavy, governor, turbo, smt, huge_pages, randomisation, heat, swap, gpu})
    findings.push_back(look(patient));
  for (const auto& finding : environment_findings(environment)) findings.push_back(finding);
  return findings;
}

Fitness worst(const std::vector<Finding>& findings) {
  Fitness result = Fitness::ok;
  for (const auto& finding : findings) result = std::max(result, finding.fitness);
  return result;
}

json to_json(const std::vector<Finding>& findings) {
  json list = json::array();
  for (const auto& one : findings)
    list.push_back({{"name", one.name},
                    {"value", one.value},
                    {"verdict", name_of(one.fitness)},
                    {"effect", one.effect},
                    {"command", one.command}});
  return list;
}

}  // namespace assay::harness
