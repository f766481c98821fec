#pragma once
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/catalogue.hpp"
#include "harness/gate/preset.hpp"

namespace assay::harness {

/// One metric of one configuration that the gate judges.
struct GateBenchmark {
  std::string configuration, metric, unit, better;
  CaseKind kind = CaseKind::timed;
  std::optional<Preset> preset;  // none: exact
  std::string preset_from;       // who chose it: "--floor", "calibration" or "declared"
  std::string note{};            // how the candidate's declaration differs from the baseline's
  Declaration declared_at{};

  bool exact() const { return !preset; }
  bool higher() const { return better == "higher"; }
};

/// A benchmark that is not measured: `new` or `gone` where only one side has it, `skipped` or `invalid`, and why.
struct UnmeasuredBenchmark {
  GateBenchmark benchmark;
  std::string verdict, reason;
};

struct GateSelection {
  std::vector<GateBenchmark> both;
  std::vector<UnmeasuredBenchmark> unmeasured{};

  int timed() const;  // the number M of times
};

/// The benchmarks that either side declares and both can run, as far as `asked` names them (scenarios, cases or
/// configurations; empty: all). Where the two declarations differ, the baseline's counts: a change cannot drop its own
/// gate, allow itself a larger effect, or turn the better direction round. It may tighten an effect. Throws
/// CommandError 2 for a name that neither knows, or that nothing gated has.
GateSelection select_benchmarks(const Catalogue& candidate, const Catalogue& baseline,
                                const std::vector<std::string>& asked);

}  // namespace assay::harness
