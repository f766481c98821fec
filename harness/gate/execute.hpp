#pragma once
#include <atomic>
#include <functional>

#include "harness/gate/plan.hpp"

namespace assay::harness {

/// Runs a gate until every benchmark has its verdict or the budget has no room for a further round, and writes its
/// records. The clock starts with the first process.
RunOutcome execute_gate(const GatePlan& plan, const HostContext& host,
                        const std::function<void(const Progress&)>& progress, const std::atomic<bool>& stop);

}  // namespace assay::harness
