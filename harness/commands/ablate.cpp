#include <CLI/CLI.hpp>
#include <memory>

#include "harness/ablation/design.hpp"
#include "harness/commands/commands.hpp"
#include "harness/commands/run.hpp"
#include "harness/commands/whole_number.hpp"

namespace assay::harness {

void add_ablate(CLI::App& app, const Program& program, int& code) {
  auto* command = app.add_subcommand(
      "ablate", "what each automatic optimization is worth: all on, all off, each alone off, each alone on");
  command->footer(
      "Examples:\n"
      "  ./assay ablate tracing --profile quick          what the scenario declares\n"
      "  ./assay ablate tracing step 'call{way=predict}' these configurations");
  auto a = std::make_shared<RunArguments>();
  auto scenario = std::make_shared<std::string>();
  auto cases = std::make_shared<std::vector<std::string>>();
  auto* named = command->add_option("SCENARIO", *scenario, "whose times are measured");
  auto* only = command->add_option("CASE", *cases, "configurations; what the scenario declares when none is named");
  auto* profile = command->add_option("--profile", a->profile, "quick, standard or full: rounds and lengths")
                      ->capture_default_str();
  auto* off = command->add_option("--off", a->off, "controls that are off throughout and not measured")
                  ->delimiter(',')
                  ->type_name("CONTROL,...");
  auto* seed = command->add_option("--seed", a->seed, "of initial weights and the order of cases")
                   ->check(whole_number(0))
                   ->capture_default_str();
  auto* threads =
      command->add_option("--threads", a->threads, "cores that a case may use; all allowed ones when left out")
          ->check(whole_number(1));
  auto* data = command->add_option("--data", a->data,
                                   "folder with the four IDX files of MNIST; the embedded data when left out");
  auto* out = command->add_option("--out", a->out,
                                  "folder of the run, new or empty; results/runs/TIME-ablation-SCENARIO when left out");
  auto* other = command->add_option("--program", a->programs,
                                    "measure this program that speaks the case protocol, instead of assay itself");
  auto* resume = command->add_option("--resume", a->resume, "finish the run in this folder");
  for (auto* option : {named, only, profile, off, seed, threads, data, out, other}) resume->excludes(option);
  command->add_flag("--json", a->json, "print the run document instead of the table");
  command->add_flag("--no-report", a->no_report, "do not draw the pages");
  command->callback([a, scenario, cases, &program, &code] {
    if (a->resume.empty()) {
      if (scenario->empty()) throw UsageError("ablate: name a SCENARIO (./assay list), or --resume RUN");
      a->scenarios = {*scenario};
      a->rewrite = RunPurpose{ablation_purpose, [a, cases](const Catalogue& catalogue) {
                                return ablation_of(catalogue, a->scenarios.front(), *cases, a->off);
                              }};
    }
    code = run(*a, program);
  });
}

}  // namespace assay::harness
