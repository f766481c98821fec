#pragma once
#include <iosfwd>
#include <string>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// Prints each claim that was tested with the published figure, and a line for each program with its measurement and
/// its two verdicts. The framework that the figure came from is first, the engine last. Then it prints the engine's
/// times as ratios to the peers' times.
void print_reproduction(const nlohmann::json& document, std::ostream& out, bool colour, int width);

}  // namespace assay::harness
