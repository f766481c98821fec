#pragma once
#include <filesystem>
#include <string>

#include "harness/cases/program.hpp"
#include "harness/gate/preset.hpp"

namespace assay::harness {

/// Whether `--against` names a stored run (a folder with a run.json, or a .json file) and no commit.
bool is_stored_run(const std::string& against);

/// Measures the scenarios of a stored run with `candidate`, here and now (into `out`, results/runs when empty), and
/// compares what may be compared between days and machines: ratios formed inside each run. Prints why; returns the exit
/// code.
int gate_against_run(const std::string& against, const std::filesystem::path& candidate, const Preset& preset,
                     const std::filesystem::path& out, bool as_json, const Program& program);

}  // namespace assay::harness
