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

/// Half an hour of measuring must not end at a folder that does not exist: throws UsageError for what cannot be
/// written. An older result goes, so that nobody takes it for this gate's. Creates nothing.
void prepare_outputs(const GateOutputs& outputs);

/// Writes all of them; what could not be written is said on standard error. False where that was anything.
bool write_outputs(const GateOutputs& outputs, const nlohmann::json& document);

/// Enough of a run document for the outputs of a gate that ended before it measured: exit code and cause.
nlohmann::json unmeasured_document(const Program& program, const std::string& against, int code,
                                   const std::string& cause);

}  // namespace assay::harness
