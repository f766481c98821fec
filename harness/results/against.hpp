#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/results/samples.hpp"

namespace assay::harness {

/// The first program against every other one: a row for each timed configuration and metric that both measured in the
/// same rounds, counts (exact metrics) apart. Candidate is the first program, so a ratio below 1 says that it is faster
/// (where lower is better). A program may report `call_overhead`, the time of a call that does nothing: then a second
/// ratio has it subtracted. No ratio at all where the machine was not fit (`unfit`) or a check of either side failed.
/// Tests no claim. `scenarios` are those of the first program's catalogue that ran.
nlohmann::json against_others(const std::vector<std::string>& programs, const Measurements& measurements,
                              const nlohmann::json& scenarios, const std::vector<std::string>& unfit);

}  // namespace assay::harness
