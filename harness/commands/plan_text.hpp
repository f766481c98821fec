#pragma once
#include <iosfwd>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// Whether what a case chose is a plan (docs/protocol.md, "A plan").
bool is_plan(const nlohmann::json& choice);

/// The plan for people: nodes recorded and after each pass, a line a step, what it takes, why kernels fell back.
void print_plan(const nlohmann::json& plan, std::ostream& out);

}  // namespace assay::harness
