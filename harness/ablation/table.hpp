#pragma once
#include <iosfwd>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// Prints for each ablated metric its value with all on and all off, then a line a control with both ratios and whether
/// it helps. In a narrow terminal the ratios stand under the control's name. Controls that were left out follow, with
/// their reasons.
void print_ablation(const nlohmann::json& document, std::ostream& out, bool colour, int width);

}  // namespace assay::harness
