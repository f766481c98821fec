#pragma once
#include <nlohmann/json.hpp>

namespace assay::harness {

/// The claims with their `verdicts`, one for each program of the document and each test of the claim: whether the
/// advice holds here, and whether the published figure reproduces. `claims` are those of load_claims(). `document`
/// needs programs, scenarios, processes, failures, skipped, values, comparisons and state. `catalogue` says which tests
/// exist, selected in this run or not.
nlohmann::json evaluate_claims(const nlohmann::json& claims, const nlohmann::json& document,
                               const nlohmann::json& catalogue);

}  // namespace assay::harness
