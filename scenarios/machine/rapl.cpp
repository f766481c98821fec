#include "scenarios/machine/rapl.hpp"

#include <algorithm>

#include "harness/machine/read_text.hpp"

namespace assay::scenarios::machine {
namespace fs = std::filesystem;

std::vector<EnergyZone> energy_zones(const fs::path& root) {
  std::vector<EnergyZone> zones;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root, ignored)) {
    const auto text = harness::read_text(entry.path() / "name").value_or("");
    const auto name = harness::trimmed(text);
    const auto range = harness::read_integer(entry.path() / "max_energy_range_uj");
    EnergyZone zone{entry.path() / "energy_uj", std::string{name}, static_cast<std::uint64_t>(range.value_or(0))};
    if (zone.name.starts_with("package") && range && energy_now(zone)) zones.push_back(std::move(zone));
  }
  std::sort(zones.begin(), zones.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return zones;
}

std::optional<std::uint64_t> energy_now(const EnergyZone& zone) {
  const auto value = harness::read_integer(zone.counter);
  return value && *value >= 0 ? std::optional{static_cast<std::uint64_t>(*value)} : std::nullopt;
}

double joules_between(std::uint64_t before, std::uint64_t after, std::uint64_t range) {
  const std::uint64_t microjoules = after >= before ? after - before : range - before + after;
  return static_cast<double>(microjoules) * 1e-6;
}

}  // namespace assay::scenarios::machine
