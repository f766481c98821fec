#pragma once
#include <optional>

#include "harness/run/case_command.hpp"
#include "harness/run/runner.hpp"

namespace assay::harness {

/// What all processes of the plan share.
CaseSettings settings_of(const RunPlan& plan);

/// Seed, budget and folder (not made yet) of one process; what it needs is not met yet (needs.hpp).
CaseInputs inputs_of(const RunPlan& plan, const Member& member, std::uint64_t seed);

/// An equal share of what a process's scenario may take, so that a slow machine repeats less instead of running for
/// hours; nothing where neither plan nor catalogue says.
std::optional<std::chrono::milliseconds> budget_share(const RunPlan& plan, const Member& member);

/// Makes the folder anew, empty.
void make_empty(const std::filesystem::path& folder);

}  // namespace assay::harness
