#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>

#include "harness/ablation/design.hpp"
#include "harness/ablation/table.hpp"
#include "harness/claims/claims.hpp"
#include "harness/claims/reproduction_table.hpp"
#include "harness/claims/verdict_table.hpp"
#include "harness/commands/commands.hpp"
#include "harness/commands/expectations.hpp"
#include "harness/commands/measuring.hpp"
#include "harness/commands/progress.hpp"
#include "harness/commands/run.hpp"
#include "harness/commands/whole_number.hpp"
#include "harness/errors/errors.hpp"
#include "harness/results/document.hpp"
#include "harness/run/records.hpp"
#include "harness/run/runner.hpp"

namespace assay::harness {
namespace {

bool ablates(const nlohmann::json& header_or_document) {
  return header_or_document.at("options").value("purpose", "") == ablation_purpose;
}

/// The claims that a run may judge: an ablation asks another question.
nlohmann::json claims_of(const nlohmann::json& header) {
  return ablates(header) ? nlohmann::json::array() : load_claims(project_folder() / "results/published/claims.json");
}

/// Documents, verdicts and pages of a finished run; returns the exit code.
int conclude(const RunArguments& arguments, const std::filesystem::path& folder,
             const std::vector<Expectation>& expectations) {
  const auto records = read_records(folder / "records.jsonl");
  const auto document = make_document(records, claims_of(records.front()));
  try {
    write_document(folder / "run.json", document);
  } catch (const std::runtime_error& error) {
    throw CommandError(exit_environment, std::string(error.what()) + "; " + how_to_go_on(folder));
  }
  const bool several = document.at("programs").size() > 1;
  const int drawing = arguments.no_report ? exit_ok : draw_report(folder, {});
  const bool drawn = !arguments.no_report && drawing == exit_ok;
  if (arguments.json) {
    std::cout << document.dump(2) << "\n";
  } else {
    const auto out = terminal(STDOUT_FILENO);
    const auto print = ablates(document) ? print_ablation : several ? print_reproduction : print_verdicts;
    print(document, std::cout, out.colour, out.width);
    std::cout << "\n"
              << (drawn ? "Report: " + (folder / "report/index.html").string()
                        : "Run: " + (folder / "run.json").string())
              << "\n";
  }
  for (const auto& failure : document.at("failures")) {
    const ProgramConfiguration member{failure.at("program"), failure.at("configuration")};
    std::cerr << "assay: failed: " << (several ? member.label() : member.configuration) << ": "
              << failure.at("reason").get<std::string>() << "\n";
  }
  if (drawing != exit_ok)
    std::cerr << "assay: the report was not drawn; run.json is whole, ./assay report " << folder.string()
              << " draws it again\n";
  std::vector<int> codes;  // in the order of docs/exit_codes.md: all causes are printed, the first is the code
  if (!document.at("failures").empty() || any_check_failed(document)) codes.push_back(exit_failed_case);
  if (!report_unmet(expectations, document, std::cerr)) codes.push_back(exit_regression);
  if (document.at("values").empty()) {
    std::cerr << "assay: nothing was measured\n";
    codes.push_back(exit_nothing_measured);
  }
  for (const std::string reason : document.at("state").at("reasons")) {
    std::cerr << "assay: nothing is judged: " << reason << "\n";
    codes.push_back(exit_environment);
  }
  if (drawing != exit_ok) codes.push_back(drawing == exit_interrupted ? exit_interrupted : exit_environment);
  return codes.empty() ? exit_ok : codes.front();
}

}  // namespace

RunOptions options_of(const RunArguments& arguments) {
  RunOptions options;
  options.programs.assign(arguments.programs.begin(), arguments.programs.end());
  if (options.programs.empty()) options.programs.push_back(std::filesystem::read_symlink("/proc/self/exe"));
  options.scenarios = arguments.scenarios;
  options.profile = arguments.profile;
  options.off = arguments.off;
  options.seed = arguments.seed;
  options.threads = arguments.threads;
  options.data = arguments.data.empty() ? std::filesystem::path{} : std::filesystem::absolute(arguments.data);
  options.runs = project_folder() / "results/runs";
  if (!arguments.out.empty()) options.out = std::filesystem::absolute(arguments.out);
  options.rewrite = arguments.rewrite;
  return options;
}

int run(const RunArguments& arguments, const Program& program) {
  const auto claims = load_claims(project_folder() / "results/published/claims.json");
  const auto expectations = parse_expectations(arguments.expect, claims);
  auto host = host_context(program);
  host.own_data = program.default_data;
  const auto& stop = stop_on_signals();
  const auto plan = arguments.resume.empty() ? prepare_run(options_of(arguments), host, stop)
                                             : prepare_resume(arguments.resume, host, stop);
  std::cerr << "assay: " << plan.processes() << " processes, profile "
            << plan.header.at("profile").at("name").get<std::string>() << ", into " << plan.folder.string() << "\n";
  RunOutcome outcome;
  {
    ProgressBar bar(terminal(STDERR_FILENO));
    outcome = execute(plan, host, progress_shown_by(bar), stop);
  }
  if (!outcome.finished) {
    std::cerr << "assay: stopped; " << how_to_go_on(plan.folder) << "\n";
    return exit_interrupted;
  }
  return conclude(arguments, plan.folder, expectations);
}

void add_run(CLI::App& app, const Program& program, int& code) {
  auto* command = app.add_subcommand("run", "measures scenarios, prints the verdicts, draws the report");
  command->footer(
      "Examples:\n"
      "  ./assay run                                   every scenario, profile standard\n"
      "  ./assay run tracing --profile quick --off engine.onednn\n"
      "  ./assay run --resume results/runs/20261130-070000-all");
  auto a = std::make_shared<RunArguments>();
  auto* scenarios = command->add_option("SCENARIO", a->scenarios, "scenarios to run; all when none is named");
  auto* profile = command->add_option("--profile", a->profile, "quick, standard or full: rounds, seeds and lengths")
                      ->capture_default_str();
  auto* off = command->add_option("--off", a->off, "controls to switch off everywhere, or all")
                  ->delimiter(',')
                  ->type_name("CONTROL,...");
  auto* seed = command->add_option("--seed", a->seed, "of initial weights, shuffles and the order of cases")
                   ->check(whole_number(0))
                   ->capture_default_str();
  auto* threads =
      command->add_option("--threads", a->threads, "cores that a case may use; all allowed ones when left out")
          ->check(whole_number(1));
  auto* data = command->add_option("--data", a->data,
                                   "folder with the four IDX files of MNIST; the embedded data when left out");
  auto* out = command->add_option("--out", a->out,
                                  "folder of the run, new or empty; results/runs/TIME-SCENARIOS when left out");
  auto* other = command->add_option("--program", a->programs,
                                    "measure this program that speaks the case protocol, instead of assay itself");
  command->add_option("--resume", a->resume, "finish the run in this folder")
      ->excludes(scenarios)
      ->excludes(profile)
      ->excludes(off)
      ->excludes(seed)
      ->excludes(threads)
      ->excludes(data)
      ->excludes(out)
      ->excludes(other);
  command
      ->add_option("--expect", a->expect,
                   "exit 1 unless this claim's advice or figure has that verdict, for example tracing.eager_step=fails")
      ->type_name("ID=VERDICT");
  command->add_flag("--json", a->json, "print the run document instead of the table");
  command->add_flag("--no-report", a->no_report, "do not draw the pages");
  command->callback([a, &program, &code] { code = run(*a, program); });
}

}  // namespace assay::harness
