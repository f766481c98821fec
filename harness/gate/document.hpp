#pragma once
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/gate/plan.hpp"

namespace assay::harness {

/// The run document of a gate: that of its records, with one sample a process in `values`, and the `gate` object. A
/// pure function of its arguments.
nlohmann::json gate_document(const std::vector<nlohmann::json>& records, const GatePlan& plan);

}  // namespace assay::harness
