#pragma once
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/gate/plan.hpp"

namespace assay::harness {

/// The run document of a gate's records, with one sample a process in `values` and with the `gate` object. A pure
/// function.
nlohmann::json gate_document(const std::vector<nlohmann::json>& records, const GatePlan& plan);

}  // namespace assay::harness
