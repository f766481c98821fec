#include "harness/run/case_inputs.hpp"

#include <algorithm>

namespace assay::harness {
namespace {

namespace fs = std::filesystem;

/// Relative to the run's folder, one for each configuration and seed.
fs::path folder_of(const RunPlan& plan, const ProgramConfiguration& member, std::uint64_t seed) {
  const std::string& folder = find_program(plan.programs, member.program).folder;
  std::string name = member.configuration;
  std::replace(name.begin(), name.end(), '/', '_');
  return fs::path("artifacts") / (folder.empty() ? member.program : folder) / name / ("seed-" + std::to_string(seed));
}

}  // namespace

std::optional<double> budget_share(const RunPlan& plan, const ProgramConfiguration& member) {
  const std::string scenario = member.configuration.substr(0, member.configuration.find('.'));
  const auto& budgets = find_program(plan.programs, member.program).catalogue.scenario(scenario)->budget_s;
  const auto budget = budgets.find(plan.header.at("options").at("profile").get<std::string>());
  if (budget == budgets.end()) return std::nullopt;
  int sharing = 0;
  for (const auto& step : plan.steps)
    for (const auto& other : step.members)
      if (other.program == member.program && other.configuration.starts_with(scenario + ".")) ++sharing;
  return budget->second / std::max(1, sharing);
}

CaseSettings settings_of(const RunPlan& plan) {
  const nlohmann::json& options = plan.header.at("options");
  return {*plan.programs.front().catalogue.profile(options.at("profile")),
          options.at("off").get<std::vector<std::string>>(), static_cast<int>(plan.cpus.size()), plan.cpus,
          options.at("data").get<std::string>()};
}

CaseInputs inputs_of(const RunPlan& plan, const ProgramConfiguration& member, std::uint64_t seed) {
  return {seed, {}, {}, plan.folder / folder_of(plan, member, seed)};
}

void make_empty(const fs::path& folder) {
  fs::remove_all(folder);
  fs::create_directories(folder);
}

}  // namespace assay::harness
