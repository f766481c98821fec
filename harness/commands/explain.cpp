#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "harness/cases/case_id.hpp"
#include "harness/cases/lookup.hpp"
#include "harness/cases/select_groups.hpp"
#include "harness/commands/commands.hpp"
#include "harness/commands/measuring.hpp"
#include "harness/commands/plan_text.hpp"
#include "harness/commands/run.hpp"
#include "harness/commands/whole_number.hpp"
#include "harness/errors/errors.hpp"
#include "harness/run/records.hpp"

namespace assay::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A folder that lasts as long as the command.
class ScratchFolder {
 public:
  ScratchFolder() : path_(parent() / ("assay-explain-" + std::to_string(getpid()))) {}
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  static fs::path parent() {
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    if (!error) return folder;
    const char* const named = std::getenv("TMPDIR");
    throw CommandError(exit_environment,
                       "no folder for scratch files: TMPDIR is " +
                           (named == nullptr ? std::string("not set") : "'" + std::string(named) + "'") + ": " +
                           error.message());
  }

  fs::path path_;
};

/// One configuration, run once, with as few repetitions as there can be.
Catalogue only(const Catalogue& catalogue, const std::string& id) {
  Catalogue result = catalogue;
  const std::string configuration = find_configuration(catalogue, id);
  const std::string name = parse_case_id(configuration).case_name;
  if (catalogue.find(name)->kind == CaseKind::service)
    throw UsageError(configuration + " is a service, which has no plan; name a case that needs it");
  for (auto& profile : result.profiles) profile.rounds = profile.repetitions = profile.seeds = 1;
  select_groups(result, catalogue.scenario_of(name)->name, {{configuration, {configuration}}});
  return result;
}

/// What the one process of the configuration said: its record.
json record_of(const std::vector<json>& records, const std::string& configuration) {
  json found;
  for (const json& record : records)
    if (record.at("record") == "process" && record.at("configuration") == configuration) found = record;
  return found;
}

void print_choices(const json& record, const json& explained, std::ostream& out) {
  out << record.at("configuration").get<std::string>() << "  program " << record.at("program").get<std::string>()
      << "\n";
  for (const auto& [name, choice] : explained.at("choices").items()) {
    if (is_plan(choice)) {
      out << "\n" << name << "\n";
      print_plan(choice, out);
    } else {
      out << name << ": " << (choice.is_string() ? choice.get<std::string>() : choice.dump()) << "\n";
    }
  }
}

int explain(const RunArguments& arguments, const std::string& id, const Program& program) {
  const ScratchFolder scratch;
  RunOptions options = options_of(arguments);
  options.out = scratch.path();
  options.profile.clear();
  std::string configuration;
  options.rewrite = RunPurpose{"explanation", [&](const Catalogue& catalogue) {
                                 configuration = find_configuration(catalogue, id);
                                 return only(catalogue, id);
                               }};
  options.scenarios = {id.substr(0, id.find('.'))};
  const auto host = host_context(program);
  const auto& stop = stop_on_signals();
  const auto plan = prepare_run(options, host, stop);
  if (!execute(plan, host, {}, stop).finished) return exit_interrupted;
  const json record = record_of(read_records(plan.folder / "records.jsonl"), configuration);
  if (record.at("status") != "ok") {
    std::cerr << "assay: " << configuration << ": " << record.at("status").get<std::string>() << ": "
              << record.at("reason").get<std::string>() << "\n";
    return record.at("status") == "failed" ? exit_failed_case : exit_nothing_measured;
  }

  json explained{{"configuration", configuration},
                 {"program", record.at("program")},
                 {"controls", json::array()},
                 {"choices", json::object()}};
  bool planned = false;
  for (const json& event : record.at("events")) {
    if (event.at("event") == "start") explained["controls"] = event.value("controls", json::array());
    if (event.at("event") != "choice") continue;
    explained["choices"][event.at("name").get<std::string>()] = event.at("value");
    planned = planned || is_plan(event.at("value"));
  }
  if (arguments.json)
    std::cout << explained.dump(2) << "\n";
  else
    print_choices(record, explained, std::cout);
  if (planned) return exit_ok;
  std::string why;
  for (const json& control : explained.at("controls"))
    if (control.value("name", "") == "engine.trace" && !control.value("on", true)) why = ": engine.trace is off";
  std::cerr << "assay: " << configuration << " has no plan" << why << "\n";
  return exit_nothing_measured;
}

}  // namespace

void add_explain(CLI::App& app, const Program& program, int& code) {
  auto* command = app.add_subcommand(
      "explain", "the plan of a case: what each pass did, every kernel with its shapes, threads and cost");
  command->footer(
      "Exit 4: the case has no plan.\n"
      "Example: ./assay explain tracing.step --off engine.fuse_update");
  auto a = std::make_shared<RunArguments>();
  auto id = std::make_shared<std::string>();
  command->add_option("CASE", *id, "a configuration: scenario.case{key=value,…}")->required();
  command->add_option("--off", a->off, "controls to switch off, or all")->delimiter(',')->type_name("CONTROL,...");
  command->add_option("--threads", a->threads, "cores that the case may use; all allowed ones when left out")
      ->check(whole_number(1));
  command->add_option("--program", a->programs,
                      "explain this program's case, instead of assay's; it speaks the case protocol");
  command->add_option("--data", a->data, "folder with the four IDX files of MNIST; the embedded data when left out");
  command->add_flag("--json", a->json, "what the case chose as JSON");
  command->callback([a, id, &program, &code] { code = explain(*a, *id, program); });
}

}  // namespace assay::harness
