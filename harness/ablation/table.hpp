#pragma once
#include <iosfwd>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// For each metric that was ablated: all on and all off, then a line a control with both ratios and whether it helps;
/// below `width` 100 the ratios stand under the control's name. What was left out has its reason at the end.
void print_ablation(const nlohmann::json& document, std::ostream& out, bool colour, int width);

}  // namespace assay::harness
