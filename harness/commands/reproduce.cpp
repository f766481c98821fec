#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <limits>
#include <map>

#include "harness/claims/claims.hpp"
#include "harness/commands/commands.hpp"
#include "harness/commands/run.hpp"
#include "harness/commands/whole_number.hpp"
#include "harness/text/spelling_suggestion.hpp"

namespace assay::harness {
namespace {

/// The scenario that compares training steps and inference calls with the peers. It has no claims.
const std::string models = "models";

std::vector<std::string> known_peers() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(project_folder() / "peers"))
    if (std::filesystem::exists(entry.path() / "program")) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

/// What a SECTION may be, with its scenarios: a section of the study that this program tests, or a scenario's name.
std::map<std::string, std::vector<std::string>> sections(const Program& program, const nlohmann::json& claims) {
  std::map<std::string, std::vector<std::string>> result;
  for (const auto& scenario : program.scenarios) {
    bool tests = scenario.name == models;
    for (const auto& claim : claims) {
      const auto& by = claim.at("tested_by").front();
      const std::string test = by.contains("comparison") ? by.at("comparison") : by.at("case");
      if (!test.starts_with(scenario.name + ".")) continue;
      auto& of_section = result[std::to_string(claim.at("section").get<int>())];
      if (std::find(of_section.begin(), of_section.end(), scenario.name) == of_section.end())
        of_section.push_back(scenario.name);
      tests = true;
    }
    if (tests) result[scenario.name] = {scenario.name};
  }
  return result;
}

/// The message for a section of the study that no scenario tests.
std::string not_tested_yet(const std::string& section, const std::vector<std::string>& known) {
  std::string message = "no scenario tests section " + section + " yet; there are:";
  for (const auto& name : known) message += " " + name;
  return message;
}

std::vector<std::string> scenarios_of(const std::vector<std::string>& asked, const Program& program) {
  const auto claims = load_claims(project_folder() / "results/published/claims.json");
  const auto known = sections(program, claims);
  std::vector<std::string> names, result;
  for (const auto& [name, scenarios] : known) names.push_back(name);
  std::ranges::stable_sort(names, {}, [](const std::string& name) {  // 2 before 10, numbers before names
    return std::isdigit(static_cast<unsigned char>(name.front())) ? std::stoi(name) : std::numeric_limits<int>::max();
  });
  for (const auto& name : asked.empty() ? names : asked) {
    const auto found = known.find(name);
    if (found == known.end()) {
      const bool published = std::any_of(claims.begin(), claims.end(), [&](const auto& claim) {
        return std::to_string(claim.at("section").template get<int>()) == name;
      });
      throw UsageError(published ? not_tested_yet(name, names) : unknown_name("section", name, names));
    }
    for (const auto& scenario : found->second)
      if (std::find(result.begin(), result.end(), scenario) == result.end()) result.push_back(scenario);
  }
  return result;
}

std::vector<std::string> programs_of(const std::vector<std::string>& asked) {
  const auto known = known_peers();
  std::vector<std::string> result{std::filesystem::read_symlink("/proc/self/exe")};
  for (const auto& name : asked.empty() ? known : asked) {
    if (std::find(known.begin(), known.end(), name) == known.end()) throw UsageError(unknown_name("peer", name, known));
    const std::string path = project_folder() / "peers" / name / "program";
    if (std::find(result.begin(), result.end(), path) == result.end()) result.push_back(path);
  }
  return result;
}

/// After `--peer`, words that name peers are moved from the sections to the peers.
void gather_peers(std::vector<std::string>& sections, std::vector<std::string>& peers) {
  const auto known = known_peers();
  const auto is_peer = [&](const std::string& word) {
    return std::find(known.begin(), known.end(), word) != known.end();
  };
  std::copy_if(sections.begin(), sections.end(), std::back_inserter(peers), is_peer);
  std::erase_if(sections, is_peer);
}

}  // namespace

void add_reproduce(CLI::App& app, const Program& program, int& code) {
  auto* command = app.add_subcommand(
      "reproduce", "published figures beside what the framework they came from, other frameworks and assay do here");
  command->footer(
      "./assay peers lists the peers and installs them; one that is not installed is skipped.\n"
      "Examples:\n"
      "  ./assay reproduce 2 --peer tensorflow     section 2 of the study, on the framework it was measured with\n"
      "  ./assay reproduce models --profile quick  training steps and inference calls beside all peers'");
  auto a = std::make_shared<RunArguments>();
  auto asked = std::make_shared<std::vector<std::string>>(), peers = std::make_shared<std::vector<std::string>>();
  command->add_option("SECTION", *asked, "sections of the study by number, or scenarios by name; all when left out");
  command->add_option("--peer", *peers, "only these peers; all when left out")->delimiter(',')->type_name("NAME,...");
  command->add_option("--profile", a->profile, "quick, standard or full: rounds, seeds and lengths")
      ->capture_default_str();
  command
      ->add_option("--off", a->off,
                   "controls of assay to switch off, or all; the peers' own are their columns, such as onednn=off")
      ->delimiter(',')
      ->type_name("CONTROL,...");
  command->add_option("--seed", a->seed, "of initial weights and the order of cases")
      ->check(whole_number(0))
      ->capture_default_str();
  command->add_option("--threads", a->threads, "cores that a case may use; all allowed ones when left out")
      ->check(whole_number(1));
  command->add_option("--data", a->data, "folder with the four IDX files of MNIST; the embedded data when left out");
  command->add_option("--out", a->out, "folder of the run, new or empty; results/runs/TIME-SCENARIOS when left out");
  command
      ->add_option("--expect", a->expect,
                   "exit 1 unless this claim's advice or figure has that verdict in some program")
      ->type_name("ID=VERDICT");
  command->add_flag("--json", a->json, "print the run document instead of the tables");
  command->add_flag("--no-report", a->no_report, "do not draw the pages");
  command->callback([a, asked, peers, &program, &code] {
    if (!peers->empty()) gather_peers(*asked, *peers);
    a->scenarios = scenarios_of(*asked, program);
    a->programs = programs_of(*peers);
    code = run(*a, program);
  });
}

}  // namespace assay::harness
