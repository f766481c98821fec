#pragma once
#include <iosfwd>
#include <string>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// For each claim that was tested: what was published, and a line a program with what it measured and its two
/// verdicts, the framework of origin first, the engine last. Then how the engine's times stand to the peers'.
void print_reproduction(const nlohmann::json& document, std::ostream& out, bool colour, int width);

}  // namespace assay::harness
