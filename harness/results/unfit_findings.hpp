#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// The doctor's findings that make a run unfit: those with the verdict `unfit` at every moment at which the doctor
/// looked (before the run, at each resumption, after it), one sentence each. `state` is the run document's. The steal
/// of a moment is left out: the run measures its own.
std::vector<std::string> lasting_unfit_findings(const nlohmann::json& state);

/// The findings with the verdict `unfit` at one moment, "NAME: VALUE".
std::vector<std::string> unfit_findings(const nlohmann::json& moment);

}  // namespace assay::harness
