#pragma once
#include <nlohmann/json.hpp>

#include "harness/gate/preset.hpp"
#include "harness/gate/section.hpp"

namespace assay::harness {

/// Two run documents of one program, of other days or machines: every ratio that both formed, with how much it changed.
/// The interval spans from the nearest to the farthest of the two intervals' ends, so that it misses no more often than
/// the two together. {"why", "ratios": [{id, metric, before, after, estimate, low, high, verdict, reason}]}: same where
/// the interval lies inside the margin, regressed or improved where it leaves no change behind and the change is above
/// the floor.
nlohmann::json compare_ratios(const nlohmann::json& before, const nlohmann::json& after, const Preset& preset);

/// The same as the `gate` object of the run document `after`, with the exit code: a benchmark is a comparison.
nlohmann::json ratio_section(const nlohmann::json& before, const nlohmann::json& after, const Preset& preset,
                             const std::string& preset_from, const GateTerms& terms);

}  // namespace assay::harness
