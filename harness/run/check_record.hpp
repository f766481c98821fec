#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/run/schedule.hpp"

namespace assay::harness {

/// Checks the lines of records.jsonl in their order against docs/run_document.md: the first is the run's, with a
/// catalogue, options and a schedule that fit each other; the others fit that schedule. Whoever reads records after it
/// meets no missing field, no other type and no name or step that the run does not have.
class RecordCheck {
 public:
  /// Also fills in what a catalogue may leave out. Throws JsonError or CatalogueError.
  void operator()(nlohmann::json& record);

 private:
  void check_run(nlohmann::json& record);
  void check_process(const nlohmann::json& record) const;
  void check_round(const nlohmann::json& record) const;

  std::vector<ProgramCatalogue> programs_;
  std::vector<ScheduleStep> steps_;
};

}  // namespace assay::harness
