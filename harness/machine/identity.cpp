#include "harness/machine/identity.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "harness/machine/affinity.hpp"
#include "harness/machine/cgroup.hpp"
#include "harness/machine/cpu_info.hpp"
#include "harness/machine/memory.hpp"
#include "harness/machine/read_text.hpp"
#include "harness/machine/topology.hpp"

namespace assay::harness {
namespace {
using nlohmann::json;

template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json or_null(long long value) { return value < 0 ? json(nullptr) : json(value); }

json text_or_null(std::string_view text) { return text.empty() ? json(nullptr) : json(printable(text)); }

json describe(const Topology& found) {
  json caches = json::array();
  for (const auto& cache : found.caches)
    caches.push_back({{"level", cache.level},
                      {"kind", cache.kind},
                      {"bytes", cache.bytes},
                      {"count", cache.count},
                      {"shared_by", cache.shared_by}});
  return {{"sockets", found.sockets},       {"physical_cores", found.cores},
          {"logical_cpus", found.logical},  {"threads_per_core", found.threads_per_core},
          {"numa_nodes", found.numa_nodes}, {"caches", caches}};
}

// the models that NVIDIA's kernel driver lists, sorted: its order follows bus addresses
json gpus() {
  std::vector<std::string> models;
  for (const auto& gpu : entries_of("/proc/driver/nvidia/gpus")) {
    const auto text = read_text(gpu / "information");
    if (!text) continue;
    for (const auto line : lines_of(*text))
      if (const auto pair = key_value(line); pair && pair->first == "Model") models.push_back(printable(pair->second));
  }
  std::sort(models.begin(), models.end());
  return models.empty() ? json(nullptr) : json(models);
}

json gpu_driver() { return text_or_null(trimmed(read_text("/sys/module/nvidia/version").value_or(""))); }

json operating_system() {
  for (const auto* path : {"/etc/os-release", "/usr/lib/os-release"}) {
    const auto text = read_text(path).value_or("");
    for (const auto line : lines_of(text)) {
      const auto pair = key_value(line, '=');
      if (!pair || pair->first != "PRETTY_NAME") continue;
      return text_or_null(unquoted(pair->second));
    }
  }
  return nullptr;
}

constexpr std::string_view deciding[] = {"architecture", "cpu",          "cpu_details", "cores",
                                         "topology",     "memory_bytes", "limits",      "gpus",
                                         "gpu_driver",   "hypervisor",   "build"};

std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return hash;
}

}  // namespace

json machine_identity(const json& build) {
  const auto cpu = parse_cpu_info(read_text("/proc/cpuinfo").value_or(""));
  const auto limits = cgroup_limits(read_text("/proc/self/cgroup").value_or(""),
                                    parse_cgroup_mounts(read_text("/proc/self/mountinfo").value_or("")));
  utsname system{};
  uname(&system);
  return {{"architecture", system.machine},
          {"cpu", text_or_null(cpu.model)},
          {"cpu_details",
           {{"vendor", text_or_null(cpu.vendor)},
            {"family", or_null(cpu.family)},
            {"model", or_null(cpu.model_number)},
            {"stepping", or_null(cpu.stepping)},
            {"features", cpu.features}}},
          {"cores", allowed_cpus().size()},
          {"topology", describe(topology())},
          {"memory_bytes", or_null(memory_total())},
          {"limits", {{"cpus", or_null(limits.cpus)}, {"memory_bytes", or_null(limits.memory_bytes)}}},
          {"gpus", gpus()},
          {"gpu_driver", gpu_driver()},
          {"hypervisor", cpu.hypervisor},
          {"product", text_or_null(trimmed(read_text("/sys/class/dmi/id/product_name").value_or("")))},
          {"os", operating_system()},
          {"kernel", std::string{system.sysname} + " " + system.release},
          {"build", build}};
}

std::string machine_key(const json& identity) {
  json decides = json::object();  // nlohmann's objects are sorted by key, so that order of insertion does not matter
  for (const auto name : deciding)
    if (const auto found = identity.find(name); found != identity.end()) decides[std::string{name}] = *found;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(fnv1a(decides.dump())));
  return digits;
}

}  // namespace assay::harness
