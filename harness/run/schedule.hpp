#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/cases/catalogue.hpp"

namespace assay::harness {

/// One program of a run and what it offers.
struct ProgramCatalogue {
  std::filesystem::path path;
  Catalogue catalogue;
  std::map<std::string, std::string> environment{};  // of all its processes
  std::string
      folder{};  // below artifacts/; empty: its name. A gate's are of equal length, as all that a process is told
  bool shares_needs = false;  // its artifacts are made by the first program, so that all sides read one file
};

/// A configuration of one program: `tensorflow:tracing.step`.
struct ProgramConfiguration {
  std::string program, configuration;

  std::string label() const { return program + ":" + configuration; }
  friend auto operator<=>(const ProgramConfiguration&, const ProgramConfiguration&) = default;
};

/// One round (timed), one seed (trained) or the one run (exact) of a group, its members in the order drawn.
struct ScheduleStep {
  std::string group;
  CaseKind kind = CaseKind::exact;
  int round = 1;  // from 1; for trained, and exact ones that a seed needs, the seed's place
  std::uint64_t seed = 0;
  std::vector<ProgramConfiguration> members;

  friend bool operator==(const ScheduleStep&, const ScheduleStep&) = default;
};

/// The whole run, from catalogue, profile, selection and seed alone. Exact and needed cases first, in the order of
/// their needs; then what is trained, seed by seed; then round 1 of all timed groups, round 2, and so on. Throws
/// CatalogueError for needs that no program has, needs in a circle and needs of timed cases.
std::vector<ScheduleStep> schedule(const std::vector<ProgramCatalogue>& offers, const Profile& profile,
                                   const std::vector<std::string>& scenarios, std::uint64_t seed);

/// Who makes what `program` needs: itself where it offers the case, else the first program (the other way round where
/// needs are shared; services are its own always). Throws CatalogueError.
ProgramConfiguration producer_of(const std::vector<ProgramCatalogue>& offers, const std::string& program,
                                 const Dependency& need);

const ProgramCatalogue& find_program(const std::vector<ProgramCatalogue>& offers, const std::string& program);
const CaseInfo& case_of(const std::vector<ProgramCatalogue>& offers, const ProgramConfiguration& member);

nlohmann::json to_json(const ScheduleStep& step);
ScheduleStep read_schedule_step(const nlohmann::json& document);

}  // namespace assay::harness
