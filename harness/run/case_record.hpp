#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/run/case_process.hpp"
#include "harness/run/schedule.hpp"

namespace assay::harness {

/// Where in the schedule a process stands. A service stands in no step: `in_schedule` false makes step, round and order
/// null.
struct SchedulePosition {
  std::size_t step = 0;
  std::string group;
  int round = 1, order = 0, attempt = 1;
  std::uint64_t seed = 0;
  bool in_schedule = true;
};

/// The `process` record of a case that ran.
nlohmann::json case_record(const SchedulePosition& position, const ProgramConfiguration& member,
                           const CaseOutcome& outcome, const CaseRun& run, const std::vector<int>& cpus,
                           const std::filesystem::path& out);

/// The `process` record of a case that was not started.
nlohmann::json unstarted_record(const SchedulePosition& position, const ProgramConfiguration& member,
                                const CaseOutcome& outcome, const std::filesystem::path& out);

/// What is wrong with the artifacts that the events announce: a file that is missing, lies outside `out` or has another
/// hash. Empty when nothing is.
std::string artifact_fault(const std::vector<nlohmann::json>& events, const std::filesystem::path& out);

}  // namespace assay::harness
