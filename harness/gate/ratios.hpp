#pragma once
#include <nlohmann/json.hpp>

#include "harness/gate/preset.hpp"
#include "harness/gate/section.hpp"

namespace assay::harness {

/// Compares every ratio that two run documents both formed, of other days or machines. The interval of a change spans
/// the ends of the two intervals, so that it misses no more often than the two together. Result: {"why", "ratios":
/// [{id, metric, before, after, estimate, low, high, verdict, reason}]}. A change is `same` if its interval lies inside
/// the margin; `regressed` or `improved` if its interval excludes no change and the change is above the floor.
nlohmann::json compare_ratios(const nlohmann::json& before, const nlohmann::json& after, const Preset& preset);

/// The same as the `gate` object of the run document `after`: each comparison is a benchmark, and there is an exit
/// code.
nlohmann::json ratio_section(const nlohmann::json& before, const nlohmann::json& after, const Preset& preset,
                             const std::string& preset_from, const GateTerms& terms);

}  // namespace assay::harness
