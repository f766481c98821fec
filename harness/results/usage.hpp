#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// The `process` records in the order in which they ran. `used` says whether the round of a record was completed in
/// that attempt without an interruption (docs/run_document.md, "Which process records count"). No process is left out
/// because of what it measured.
std::vector<nlohmann::json> processes_with_use(const std::vector<nlohmann::json>& records);

/// The configurations that left their group with this status, "failed" or "skipped": {configuration, program, round,
/// attempt, status, reason}.
nlohmann::json configurations_that_left(const std::vector<nlohmann::json>& records, const std::string& status);

/// What one sample of a step of this kind is: "round" (timed), "seed" (trained) or "run" (exact).
std::string per_of_kind(const std::string& kind);

}  // namespace assay::harness
