#pragma once
#include <string>

#include <nlohmann/json.hpp>

#include "harness/cases/program.hpp"

namespace assay::harness {

/// The files that a gate was asked to write; empty where not asked. A job summary of GitHub Actions comes by itself
/// (GITHUB_STEP_SUMMARY).
struct GateOutputs {
  std::string junit, sarif, markdown;
};

/// Checks before anything is measured that the files can be written: throws UsageError for one that was asked for,
/// warns of a job summary, which the environment names. Removes older results, so that nobody takes them for this
/// gate's.
void prepare_outputs(const GateOutputs& outputs);

/// Writes all of them; what could not be written is said on standard error. False where that was a file that was asked
/// for.
bool write_outputs(const GateOutputs& outputs, const nlohmann::json& document);

/// Enough of a run document for the outputs of a gate that ended before it measured: exit code and cause.
nlohmann::json unmeasured_document(const Program& program, const std::string& against, int code,
                                   const std::string& cause);

}  // namespace assay::harness
