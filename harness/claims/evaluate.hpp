#pragma once
#include <nlohmann/json.hpp>

namespace assay::harness {

/// The claims with `verdicts`, one a program of the document and test of the claim: does the advice hold here, does the
/// published figure reproduce. `claims` as from load_claims(); `document` needs programs, scenarios, processes,
/// failures, skipped, values, comparisons and state; `catalogue` says which tests exist at all, selected in this run or
/// not.
nlohmann::json evaluate_claims(const nlohmann::json& claims, const nlohmann::json& document,
                               const nlohmann::json& catalogue);

}  // namespace assay::harness
