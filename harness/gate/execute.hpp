#pragma once
#include <atomic>
#include <functional>

#include "harness/gate/plan.hpp"

namespace assay::harness {

/// Runs a gate until every benchmark has a verdict or the budget has no room for another round, and writes its records.
/// The budget starts with the first process.
RunOutcome execute_gate(const GatePlan& plan, const HostContext& host,
                        const std::function<void(const Progress&)>& progress, const std::atomic<bool>& stop);

}  // namespace assay::harness
