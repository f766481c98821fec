#include "harness/commands/gate_stored.hpp"

#include <algorithm>
#include <iostream>

#include "harness/commands/commands.hpp"
#include "harness/commands/measuring.hpp"
#include "harness/errors/errors.hpp"
#include "harness/gate/ratios.hpp"
#include "harness/json/json_place.hpp"
#include "harness/results/document.hpp"
#include "harness/results/read_run.hpp"
#include "harness/run/program_catalogue.hpp"
#include "harness/run/records.hpp"
#include "harness/text/spelling_suggestion.hpp"

namespace assay::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The stored run's scenarios that the candidate has and the user asked for.
std::vector<std::string> shared_scenarios(const json& stored, const StoredGate& asked) {
  const Catalogue offered = query_catalogue(asked.candidate, {}).catalogue;
  std::vector<std::string> names;
  for (const json& scenario : stored.at("scenarios"))
    if (offered.scenario(scenario.at("name"))) names.push_back(scenario.at("name"));
  for (const auto& name : asked.asked)
    if (std::ranges::find(names, name) == names.end())
      throw CommandError(exit_usage, unknown_name("scenario of the stored run", name, names) +
                                         "; against a stored run whole scenarios are gated");
  return asked.asked.empty() ? names : asked.asked;
}

/// The options of the stored run. A ratio at other threads or controls would be another ratio.
RunOptions options_of(const json& stored, const StoredGate& asked) {
  RunOptions options;
  options.programs = {asked.candidate};
  options.out = asked.out;
  options.data = asked.data;
  options.scenarios = shared_scenarios(stored, asked);
  options.profile = stored.at("profile").at("name");
  options.runs = project_folder() / "results/runs";
  try {
    const JsonPlace then = JsonPlace(stored, "").at("options");
    options.off = then.at("off").list([](const JsonPlace& control) { return control.text(); });
    options.seed = then.at("seed").natural();
    options.threads = static_cast<int>(then.at("threads").whole(1, 1 << 20));
  } catch (const JsonError& error) {
    throw CommandError(exit_usage, asked.against + ": is no run that can be measured again: " + error.what());
  }
  const auto differs = [&](const char* option, const auto& here, const auto& there) {
    throw CommandError(exit_usage, std::string(option) + " " + std::to_string(here) + ": the stored run used " +
                                       std::to_string(there) + ", and ratios of other conditions are not compared");
  };
  if (asked.threads > 0 && asked.threads != options.threads) differs("--threads", asked.threads, options.threads);
  if (asked.seed && *asked.seed != options.seed) differs("--seed", *asked.seed, options.seed);
  return options;
}

}  // namespace

bool is_stored_run(const std::string& against) {
  return against.ends_with(".json") || fs::is_regular_file(fs::path(against) / "run.json");
}

std::optional<Gated> gate_against_run(const StoredGate& asked, const Program& program, const std::atomic<bool>& stop) {
  const json stored = read_run(asked.against);
  const RunOptions options = options_of(stored, asked);
  if (options.scenarios.empty() || stored.at("comparisons").empty())
    throw CommandError(exit_nothing_measured,
                       asked.against + " and this program share no scenario with a ratio; a gate needs one");
  const HostContext host = host_context(program);
  const RunPlan plan = prepare_run(options, host, stop);
  RunOutcome outcome;
  {
    ProgressBar bar(terminal(STDERR_FILENO));
    outcome = execute(plan, host, progress_shown_by(bar), stop);
  }
  if (!outcome.finished) {
    std::cerr << "assay: stopped; ./assay run --resume " << plan.folder.string() << " finishes what was measured\n";
    return std::nullopt;
  }
  json document = make_document(read_records(plan.folder / "records.jsonl"), json::array());
  GateTerms terms;
  terms.against = asked.against;
  terms.commit = stored.at("assay").at("commit");
  terms.fail_on_undecided = asked.fail_on_undecided;
  document["gate"] = ratio_section(stored, document, asked.preset, asked.preset_from, terms);
  return Gated{std::move(document), plan.folder};
}

}  // namespace assay::harness
