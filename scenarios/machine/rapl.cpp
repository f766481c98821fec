#include "scenarios/machine/rapl.hpp"

#include <algorithm>

#include "harness/machine/read_text.hpp"

namespace assay::scenarios::machine {
namespace fs = std::filesystem;

std::vector<EnergyZone> energy_zones(const fs::path& root) {
  std::vector<EnergyZone> zones;
  for (const auto& entry : harness::entries_of(root)) {
    const auto name = harness::read_text(entry / "name").value_or("");
    const auto range = harness::counter_of(harness::read_text(entry / "max_energy_range_uj").value_or(""));
    EnergyZone zone{entry / "energy_uj", harness::printable(harness::trimmed(name)), range.value_or(0)};
    if (zone.name.starts_with("package") && range && energy_now(zone)) zones.push_back(std::move(zone));
  }
  std::stable_sort(zones.begin(), zones.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto same = [](const auto& a, const auto& b) { return a.name == b.name; };
  zones.erase(std::unique(zones.begin(), zones.end(), same), zones.end());
  return zones;
}

std::optional<std::uint64_t> energy_now(const EnergyZone& zone) {
  return harness::counter_of(harness::read_text(zone.counter).value_or(""));
}

std::optional<double> joules_between(std::uint64_t before, std::uint64_t after, std::uint64_t range) {
  if (after < before && before > range) return std::nullopt;
  const std::uint64_t microjoules = after >= before ? after - before : range - before + after;
  return static_cast<double>(microjoules) * 1e-6;
}

}  // namespace assay::scenarios::machine
