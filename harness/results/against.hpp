#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/results/samples.hpp"

namespace assay::harness {

/// Compares the first program with every other one: a row for each timed configuration and metric that both measured in
/// the same rounds. Exact metrics are left out. The first program is the candidate, so a ratio below 1 means that it
/// takes less. Where the other program reports `call_overhead`, a second ratio has it subtracted. A row has no ratio if
/// the machine was unfit (`unfit` is not empty) or if a check of either side failed. `scenarios` are the scenarios of
/// the first program's catalogue that ran.
nlohmann::json against_others(const std::vector<std::string>& programs, const Measurements& measurements,
                              const nlohmann::json& scenarios, const std::vector<std::string>& unfit);

}  // namespace assay::harness
