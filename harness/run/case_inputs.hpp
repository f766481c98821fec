#pragma once
#include <optional>

#include "harness/run/case_command.hpp"
#include "harness/run/runner.hpp"

namespace assay::harness {

/// What all processes of the plan share.
CaseSettings settings_of(const RunPlan& plan);

/// Seed and folder (not made yet) of one process; what it needs is not met yet (needs.hpp).
CaseInputs inputs_of(const RunPlan& plan, const ProgramConfiguration& member, std::uint64_t seed);

/// How long the catalogue expects one process to take, in seconds: an equal share of its scenario's budget. Nothing
/// where the catalogue does not say.
std::optional<double> budget_share(const RunPlan& plan, const ProgramConfiguration& member);

/// Makes the folder anew, empty.
void make_empty(const std::filesystem::path& folder);

}  // namespace assay::harness
