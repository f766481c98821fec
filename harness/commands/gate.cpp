#include <CLI/CLI.hpp>
#include <iostream>
#include <random>

#include "harness/commands/commands.hpp"
#include "harness/commands/gate_outputs.hpp"
#include "harness/commands/gate_stored.hpp"
#include "harness/commands/measuring.hpp"
#include "harness/commands/whole_number.hpp"
#include "harness/errors/errors.hpp"
#include "harness/gate/baseline.hpp"
#include "harness/gate/calibration.hpp"
#include "harness/gate/document.hpp"
#include "harness/gate/duration.hpp"
#include "harness/gate/execute.hpp"
#include "harness/gate/render.hpp"
#include "harness/results/document.hpp"
#include "harness/run/machine_lock.hpp"
#include "harness/run/program_catalogue.hpp"
#include "harness/run/records.hpp"

namespace assay::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string usual_budget = "10m";

struct GateArguments {
  std::vector<std::string> asked, injected;
  std::string against, baseline, program, floor, margin, fail_on, data, out;
  GateOutputs outputs;
  std::optional<std::string> budget;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> order_seed;
  int threads = 0, rounds = 0;
  bool self = false, json = false;
};

Preset preset_asked(const GateArguments& a) {
  try {
    Preset preset = preset_of(parse_share(a.floor.empty() ? "3%" : a.floor));
    if (!a.margin.empty()) preset.margin = parse_share(a.margin);
    if (preset.margin <= preset.floor)
      throw UsageError("--margin " + percent_text(preset.margin) + " must lie above the floor, " +
                       percent_text(preset.floor));
    return preset;
  } catch (const std::domain_error& error) {
    throw UsageError(std::string("--floor, --margin: ") + error.what());
  }
}

std::map<std::string, std::string> pairs(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> result;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) throw UsageError("--inject wants NAME=VALUE, got '" + text + "'");
    result[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return result;
}

fs::path candidate_of(const GateArguments& a) {
  return a.program.empty() ? fs::read_symlink("/proc/self/exe") : fs::absolute(a.program);
}

struct Sides {
  fs::path baseline, candidate;
  json baseline_program;  // the baseline's commit and dirty flag, which its catalogue does not know
  std::string against, commit;
};

Sides find_sides(const GateArguments& a, const Program& program, const std::atomic<bool>& stop) {
  Sides sides;
  sides.candidate = candidate_of(a);
  if (a.self) {
    sides.baseline = sides.candidate;
    sides.against = "itself";
    sides.commit = a.program.empty() ? program.commit : "";
  } else if (!a.baseline.empty()) {
    sides.baseline = fs::absolute(a.baseline);
    sides.against = a.baseline;
    for (const auto& one : {sides.baseline, sides.candidate})
      if (!fs::is_regular_file(one))
        throw CommandError(one == sides.baseline ? 4 : 2, one.string() + ": expected a program");
  } else {
    ProgressBar bar(terminal(STDERR_FILENO));
    const BuildListener listener{
        [](const std::string& text) { std::cerr << "assay: " << text << "\n"; },
        [&bar](int done, int total, const std::string& step) { bar.show(done, total, step, std::nullopt); }};
    const auto built = build_baseline(project_folder(), a.against, listener, stop);
    bar.clear();
    if (built.from_cache)
      std::cerr << "assay: " << a.against << " is built already (" << built.commit.substr(0, 12) << ")\n";
    sides.baseline = built.program;
    sides.against = a.against;
    sides.commit = built.commit;
    sides.baseline_program = {{"commit", built.commit}, {"dirty", false}};
  }
  return sides;
}

GateOptions options_of(const GateArguments& a, const Sides& sides, const fs::path& installed, const json& machine) {
  GateOptions options;
  options.baseline = installed / "base/assay";
  options.null_copy = installed / "null/assay";
  options.candidate = installed / "cand/assay";
  options.baseline_program = sides.baseline_program;
  options.asked = a.asked;
  options.injected = pairs(a.injected);
  if (!a.floor.empty() || !a.margin.empty()) options.preset = preset_asked(a);
  options.calibrated = calibrated_presets(project_folder() / "results/machines" / machine.at("key").get<std::string>(),
                                          static_cast<int>(first_cpus(a.threads).size()));
  if (a.rounds > 0) options.settling_rounds = a.rounds;
  options.seed = a.seed.value_or(0);
  options.threads = a.threads;
  options.data =
      a.data.empty() ? (a.program.empty() ? project_folder() / "data/mnist" : fs::path{}) : fs::absolute(a.data);
  options.runs = project_folder() / "results/runs";
  if (!a.out.empty()) options.out = fs::absolute(a.out);
  options.terms.against = sides.against;
  options.terms.commit = sides.commit;
  options.terms.order_seed = a.order_seed.value_or(std::random_device{}());
  options.terms.budget_s = parse_duration(a.budget.value_or(usual_budget));
  options.terms.self = a.self && a.injected.empty();
  options.terms.fail_on_undecided = a.fail_on == "undecided";
  return options;
}

void check_arguments(const GateArguments& a) {
  if (a.self + !a.against.empty() + !a.baseline.empty() != 1)
    throw UsageError("gate wants one of --against REF, --against RUN, --baseline PROGRAM and --self");
  if (fs::is_directory(a.against) && !is_stored_run(a.against))
    throw UsageError(a.against + " holds no run.json: give the folder of a finished run, or a commit");
  parse_duration(a.budget.value_or(usual_budget));
  preset_asked(a);
  pairs(a.injected);
}

/// Measures a gate of two programs. Nothing if it was stopped.
std::optional<Gated> gate_programs(const GateArguments& a, const Program& program, const std::atomic<bool>& stop) {
  const HostContext host = host_context(program);
  const fs::path installed = project_folder() / ".deps/gate";
  fs::create_directories(installed);
  const MachineLock installation(installed /
                                 "lock");  // keeps other gates from replacing these copies while they are measured
  const Sides sides = find_sides(a, program, stop);
  install_sides(installed, sides.baseline, sides.candidate);
  const GatePlan plan = prepare_gate(options_of(a, sides, installed, host.machine), host.machine);
  if (plan.run.programs.front().catalogue.program.value("dirty", false))
    std::cerr << "assay: the checkout has changes that are in no commit; they are measured as the candidate\n";
  std::cerr << "assay: " << plan.selection.both.size() << " benchmarks against " << sides.against << ", into "
            << plan.run.folder.string() << "\n";
  RunOutcome outcome;
  {
    ProgressBar bar(terminal(STDERR_FILENO));
    outcome = execute_gate(plan, host, progress_shown_by(bar), stop);
  }
  if (!outcome.finished) {
    std::cerr << "assay: stopped; a gate that was cut off gives no verdict. What was measured lies in "
              << plan.run.folder.string() << "\n";
    return std::nullopt;
  }
  return Gated{gate_document(read_records(plan.run.folder / "records.jsonl"), plan), plan.run.folder};
}

std::optional<Gated> gate_stored(const GateArguments& a, const Program& program, const std::atomic<bool>& stop) {
  if (a.budget || a.rounds > 0 || a.order_seed || !a.injected.empty())
    throw UsageError(
        "--budget, --rounds and --order-seed go with a commit: against a stored run its own profile is measured");
  return gate_against_run({.against = a.against,
                           .candidate = candidate_of(a),
                           .asked = a.asked,
                           .preset = preset_asked(a),
                           .preset_from = a.floor.empty() ? "declared" : "--floor",
                           .threads = a.threads,
                           .seed = a.seed,
                           .data = a.data.empty() ? fs::path{} : fs::absolute(a.data),
                           .out = a.out.empty() ? fs::path{} : fs::absolute(a.out),
                           .fail_on_undecided = a.fail_on == "undecided"},
                          program, stop);
}

int gate(const GateArguments& a, const Program& program) {
  check_arguments(a);
  prepare_outputs(a.outputs);
  const auto& stop = stop_on_signals();
  const auto gated = is_stored_run(a.against) ? gate_stored(a, program, stop) : gate_programs(a, program, stop);
  if (!gated) return 130;
  const json& document = gated->document;
  write_document(gated->folder / "run.json", document);
  if (a.json) {
    std::cout << document_text(document);
  } else {
    print_gate(document, std::cout, terminal(STDOUT_FILENO).colour);
    std::cout << "Run: " << (gated->folder / "run.json").string() << "\n";
  }
  const int code = document.at("gate").at("exit").at("code");
  return write_outputs(a.outputs, document) || code != exit_ok ? code : exit_environment;
}

/// Runs the gate. If it ends before it measures, its files and the job summary say why.
int gate_or_why_not(const GateArguments& a, const Program& program) {
  try {
    return gate(a, program);
  } catch (const CommandError& error) {
    if (error.code == exit_nothing_measured || error.code == exit_environment || error.code == exit_failed_case)
      write_outputs(a.outputs, unmeasured_document(program,
                                                   a.self              ? "itself"
                                                   : a.against.empty() ? a.baseline
                                                                       : a.against,
                                                   error.code, error.what()));
    throw;
  }
}

}  // namespace

void add_gate(CLI::App& app, const Program& program, int& code) {
  auto* command =
      app.add_subcommand("gate", "did a change make something slower, or an answer worse? The exit code says so");
  command->footer(
      "Examples:\n"
      "  ./assay gate --against origin/main\n"
      "  ./assay gate --against HEAD~1 tracing --floor 5% --budget 5m --junit gate.xml\n"
      "  ./assay gate --against results/runs/ID/run.json   ratios alone, against another day or machine\n"
      "  ./assay gate --self                                    is this machine fit for a gate?\n"
      "Exit codes: 0 nothing got worse, 1 something did, 2 usage, 3 a case failed, 4 no baseline, 5 no valid answer "
      "here.");
  auto a = std::make_shared<GateArguments>();
  command->add_option("NAME", a->asked, "scenarios, cases or configurations; all that are gated when none is named");
  auto* against =
      command->add_option("--against", a->against, "a commit of this repository, which is built, or a stored run")
          ->type_name("REF|RUN");
  auto* baseline =
      command->add_option("--baseline", a->baseline, "a program that speaks the case protocol, instead of a commit")
          ->type_name("PROGRAM");
  auto* self = command->add_flag("--self", a->self,
                                 "against copies of itself: a change that it confirms is this machine's fault, exit 5");
  against->excludes(baseline)->excludes(self);
  baseline->excludes(self);
  command->add_option("--program", a->program, "the candidate; this build when left out");
  auto* floor = command->add_option("--floor", a->floor, "the smallest change that matters, for all times (3%)")
                    ->type_name("SHARE");
  command->add_option("--margin", a->margin, "what is certainly smaller is the same; goes with the floor when left out")
      ->type_name("SHARE")
      ->needs(floor);
  command->add_option("--budget", a->budget, "measure no longer than this: 90s, 10m, 1h (" + usual_budget + ")");
  command->add_option("--rounds", a->rounds, "a settling run: one look after so many rounds")->check(CLI::Range(4, 64));
  command->add_option("--fail-on", a->fail_on, "exit 1 on these too")->check(CLI::IsMember({"undecided"}));
  command->add_option("--junit", a->outputs.junit, "write JUnit XML here")->type_name("FILE");
  command->add_option("--sarif", a->outputs.sarif, "write SARIF 2.1.0 here")->type_name("FILE");
  command
      ->add_option("--markdown", a->outputs.markdown,
                   "write a summary here; under GitHub Actions it goes to the job summary too")
      ->type_name("FILE");
  command->add_option("--seed", a->seed, "of the cases (0)")->check(whole_number(0));
  command->add_option("--order-seed", a->order_seed, "of the order of processes; drawn anew when left out");
  command->add_option("--threads", a->threads, "cores that a case may use; all allowed ones when left out")
      ->check(whole_number(1));
  command->add_option("--data", a->data, "folder with the four IDX files of MNIST");
  command->add_option("--out", a->out, "folder of the run, new or empty");
  command->add_option("--inject", a->injected, "environment of the candidate's processes (self-test)")
      ->type_name("NAME=VALUE")
      ->group("");
  command->add_flag("--json", a->json, "print the run document");
  command->callback([a, &program, &code] { code = gate_or_why_not(*a, program); });
}

}  // namespace assay::harness
