#pragma once
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/catalogue.hpp"
#include "harness/gate/preset.hpp"

namespace assay::harness {

/// One line of a gate: a metric of one configuration.
struct GateBenchmark {
  std::string configuration, metric, unit, better;
  Kind kind = Kind::timed;
  std::optional<Preset> preset;  // none: exact
  std::string preset_from;       // who chose it: "--floor", "calibration" or "declared"

  bool exact() const { return !preset; }
  bool higher() const { return better == "higher"; }
};

/// What a gate measures, and what it cannot: benchmarks that only one side has.
struct GateSelection {
  std::vector<GateBenchmark> both, only_candidate, only_baseline;
  std::vector<GateBenchmark> too_noisy{};  // of both, left out by this machine's calibration

  int timed() const;  // M of the procedure
};

/// The benchmarks that the candidate declares, as far as `asked` names them (scenarios, cases or configurations; empty:
/// all), split by what the baseline offers. Throws RunError 2 for a name that neither knows, or that nothing gated has.
GateSelection select_benchmarks(const Catalogue& candidate, const Catalogue& baseline,
                                const std::vector<std::string>& asked);

}  // namespace assay::harness
