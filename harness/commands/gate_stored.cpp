#include "harness/commands/gate_stored.hpp"

#include <algorithm>
#include <iostream>

#include "harness/commands/commands.hpp"
#include "harness/commands/expectations.hpp"
#include "harness/commands/measuring.hpp"
#include "harness/gate/ratios.hpp"
#include "harness/results/document.hpp"
#include "harness/results/read_run.hpp"
#include "harness/run/offers.hpp"
#include "harness/run/records.hpp"
#include "harness/run/run_error.hpp"

namespace assay::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The stored run's scenarios, as far as the candidate has them.
std::vector<std::string> shared_scenarios(const json& stored, const fs::path& candidate) {
  const Catalogue offered = ask_offer(candidate, {}).catalogue;
  std::vector<std::string> names;
  for (const json& scenario : stored.at("scenarios"))
    if (offered.scenario(scenario.at("name"))) names.push_back(scenario.at("name"));
  return names;
}

void print(const json& section) {
  for (const json& row : section.at("ratios")) {
    std::cout << row.at("id").get<std::string>() << "  " << row.at("verdict").get<std::string>() << "  ";
    if (row.at("estimate").is_number())
      std::cout << percent_text(row.at("estimate").get<double>() - 1, true) << " ["
                << percent_text(row.at("low").get<double>() - 1, true) << ", "
                << percent_text(row.at("high").get<double>() - 1, true) << "]: " << row.at("before") << "x then, "
                << row.at("after") << "x now";
    const std::string reason = row.at("reason");
    std::cout << (reason.empty() ? "" : "  (" + reason + ")") << "\n";
  }
  std::cout << section.at("why").get<std::string>() << "\n";
}

}  // namespace

bool is_stored_run(const std::string& against) {
  return against.ends_with(".json") || fs::is_regular_file(fs::path(against) / "run.json");
}

int gate_against_run(const std::string& against, const fs::path& candidate, const Preset& preset, const fs::path& out,
                     bool as_json, const Program& program) {
  const json stored = read_run(against);
  RunOptions options;
  options.programs = {candidate};
  options.out = out;
  options.scenarios = shared_scenarios(stored, candidate);
  options.profile = stored.at("profile").at("name");
  options.runs = home() / "results/runs";
  if (options.scenarios.empty() || stored.at("comparisons").empty())
    throw RunError(exit_nothing_measured,
                   against + " and this program share no scenario with a ratio; a gate needs one");
  const Surroundings surroundings = surroundings_here(program);
  const RunPlan plan = prepare_run(options, surroundings);
  const auto& stop = stop_on_signals();
  RunOutcome outcome;
  {
    ProgressBar bar(terminal(STDERR_FILENO));
    outcome = execute(plan, surroundings, progress_shown_by(bar), stop);
  }
  if (!outcome.finished) return 130;
  json document = make_document(read_records(plan.folder / "records.jsonl"), json::array());
  write_document(plan.folder / "run.json", document);
  const json section = compare_ratios(stored, document, preset);
  if (as_json)
    std::cout << document_text(section);
  else
    print(section);
  std::cerr << "Run: " << (plan.folder / "run.json").string() << "\n";
  if (!document.at("failures").empty() || any_check_failed(document)) return exit_failed_case;
  const auto any = [&](const char* verdict) {
    return std::any_of(section.at("ratios").begin(), section.at("ratios").end(),
                       [&](const json& row) { return row.at("verdict") == verdict; });
  };
  if (any("regressed")) return exit_regression;
  if (!any("same") && !any("improved") && !any("undecided"))
    return document.at("state").at("fit").get<bool>() ? exit_nothing_measured : exit_environment;
  return exit_ok;
}

}  // namespace assay::harness
