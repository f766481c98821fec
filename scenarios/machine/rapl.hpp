#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay::scenarios::machine {

/// One energy counter of the kernel's powercap interface (Intel and AMD RAPL): it counts up in microjoules and wraps at
/// `range`.
struct EnergyZone {
  std::filesystem::path counter;  // energy_uj
  std::string name;               // "package-0"
  std::uint64_t range = 0;
};

/// The packages below `root` whose counters may be read. Domains inside a package are part of it and left out; a
/// package that two drivers count (intel-rapl and intel-rapl-mmio) is listed once.
std::vector<EnergyZone> energy_zones(const std::filesystem::path& root = "/sys/class/powercap");

/// Microjoules of this moment.
std::optional<std::uint64_t> energy_now(const EnergyZone& zone);

/// Joules between two readings less than one wrap apart; nullopt where the counter fell without a wrap.
std::optional<double> joules_between(std::uint64_t before, std::uint64_t after, std::uint64_t range);

}  // namespace assay::scenarios::machine
