#pragma once
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// What switching did to a metric: the comparison's ratio, and whether what was switched helps.
struct SwitchEffect {
  std::optional<double> estimate, low, high;  // none where the comparison is invalid
  std::string verdict;                        // "helps", "hurts", "no difference", "undecided" or "invalid"
  std::string reason;                         // why it is invalid
};

/// One control of an ablation.
struct ControlEffect {
  std::string control;
  std::optional<SwitchEffect> alone_off, alone_on;  // off against all on; on against what it needs alone
  std::string needs;                                // those, "engine.trace+engine.onednn"; empty: against all off
};

/// One metric of one configuration in one program.
struct Ablation {
  std::string configuration, program, metric, unit;
  std::optional<double> all_on, all_off;  // medians
  SwitchEffect everything;                // all off against all on
  std::vector<ControlEffect> controls;    // in the order of the catalogue
};

/// The ablations of a run document, in the order of its comparisons.
std::vector<Ablation> ablations(const nlohmann::json& document);

/// A control that stands in no comparison, and why.
struct LeftOut {
  std::string control, reason;
};
std::vector<LeftOut> left_out(const nlohmann::json& document);

}  // namespace assay::harness
