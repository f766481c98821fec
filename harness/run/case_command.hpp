#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/run/process.hpp"
#include "harness/run/schedule.hpp"

namespace assay::harness {

/// What all processes of a run share.
struct CaseSettings {
  Profile profile;
  std::vector<std::string> off;  // the user's; each program is told of those that it knows
  int threads = 1;
  std::vector<int> cpus;
  std::filesystem::path data;  // empty: not passed
};

/// What one process gets.
struct CaseInputs {
  std::uint64_t seed = 0;
  std::map<std::string, std::filesystem::path> artifacts;
  std::map<std::string, int> services;
  std::filesystem::path out;
};

/// The command line, environment and CPUs of one case (docs/protocol.md).
ProcessSpec case_command(const ProgramCatalogue& offer, const std::string& configuration, const CaseSettings& settings,
                         const CaseInputs& inputs);

/// Seconds after which a process is ended: the case's own limit, else 60 s more than the scenario may take in the
/// profile.
double limit_s(const ProgramCatalogue& offer, const std::string& configuration, const std::string& profile);

}  // namespace assay::harness
