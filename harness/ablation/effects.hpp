#pragma once
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// The effect of a switch on a metric: the comparison's ratio, and whether the control helps.
struct SwitchEffect {
  std::optional<double> estimate, low, high;  // none if the comparison is invalid
  std::string verdict;                        // "helps", "hurts", "no difference", "undecided" or "invalid"
  std::string reason;                         // why it is invalid
};

/// One control of an ablation.
struct ControlEffect {
  std::string control;
  std::optional<SwitchEffect> alone_off, alone_on;  // off against all on; on against the controls that it needs
  std::string needs;  // the controls that it needs, "engine.trace+engine.onednn"; empty: against all off
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

/// A control without a comparison, and the reason.
struct LeftOut {
  std::string control, reason;
};
std::vector<LeftOut> left_out(const nlohmann::json& document);

}  // namespace assay::harness
