#pragma once
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "harness/claims/bounds.hpp"

namespace assay::harness {

/// The bounds inside which a claim's published figure counts as reproduced: the claim's own bounds, or published / 1.5
/// to published x 1.5. None if no figure was published.
std::optional<Bounds> reproduced_bounds(const nlohmann::json& claim);

/// "reproduced", "same direction", "opposite" or "undecided" for a measured range, and "not testable" without a figure.
/// The direction is the side of 1 for a ratio, and the side of 0 for a difference or a value.
std::string figure_verdict(const nlohmann::json& claim, Range measured);

/// "holds", "fails" or "undecided".
std::string advice_verdict(const nlohmann::json& claim, Range measured);

}  // namespace assay::harness
