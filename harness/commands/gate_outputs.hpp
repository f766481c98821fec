#pragma once
#include <string>

#include <nlohmann/json.hpp>

#include "harness/cases/program.hpp"

namespace assay::harness {

/// The files that the user asked for; empty if not asked for. The job summary of GitHub Actions (GITHUB_STEP_SUMMARY)
/// is written in any case.
struct GateOutputs {
  std::string junit, sarif, markdown;
};

/// Checks that the files can be written, before anything is measured. Throws UsageError for a file that the user asked
/// for, and warns if it is the job summary. Removes older results, so that nobody takes them for this gate's.
void prepare_outputs(const GateOutputs& outputs);

/// Writes all of them and reports on standard error what could not be written. False if that was a file that the user
/// asked for.
bool write_outputs(const GateOutputs& outputs, const nlohmann::json& document);

/// The part of a run document that the outputs need, for a gate that ended before it measured.
nlohmann::json unmeasured_document(const Program& program, const std::string& against, int code,
                                   const std::string& cause);

}  // namespace assay::harness
