#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>

#include "harness/commands/commands.hpp"
#include "harness/commands/measuring.hpp"
#include "harness/errors/errors.hpp"
#include "harness/gate/baseline.hpp"
#include "harness/gate/calibration.hpp"
#include "harness/gate/document.hpp"
#include "harness/gate/duration.hpp"
#include "harness/gate/execute.hpp"
#include "harness/results/store.hpp"
#include "harness/run/machine_lock.hpp"
#include "harness/run/program_catalogue.hpp"
#include "harness/run/records.hpp"
#include "harness/text/format_number.hpp"

namespace assay::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int max_failed_gates = 5;

struct CalibrateArguments {
  std::vector<std::string> asked;
  int no_change = 200, tries = 40, threads = 0;
  std::string slice = "24h", out;
  bool json = false;
};

/// How many of the benchmarks and slow-downs that were asked for are measured.
struct Progressed {
  int unchanged = 0;
  std::map<double, int> injected{{0.05, 0}, {0.10, 0}};

  Progressed(const std::vector<nlohmann::json>& tries, int threads) {
    for (const auto& one : tries) {
      if (!counts(one) || one.at("threads") != threads) continue;
      const int count = static_cast<int>(std::ranges::count_if(one.at("benchmarks"), judged));
      if (one.at("slower") == 0)
        unchanged += count;
      else
        injected[one.at("slower")] += count;
    }
  }
  /// The slow-down to measure next; none if all are done.
  std::optional<double> next(const CalibrateArguments& a) const {
    if (unchanged < a.no_change) return 0.0;
    for (const auto& [slower, count] : injected)
      if (count < a.tries) return slower;
    return std::nullopt;
  }
};

json one_try(double slower, const CalibrateArguments& a, const HostContext& host, const fs::path& installed,
             double seconds, const std::atomic<bool>& stop) {
  GateOptions options;
  options.baseline = installed / "base/assay";
  options.null_copy = installed / "null/assay";
  options.candidate = installed / "cand/assay";
  options.asked = slower > 0 ? std::vector<std::string>{"selftest"} : a.asked;
  if (slower > 0) options.injected = {{"ASSAY_SELFTEST_SLOWDOWN", json(slower).dump()}};
  options.threads = a.threads;
  options.data = project_folder() / "data/mnist";
  options.out = installed / "run";
  options.timed_only = true;
  options.at_least_benchmarks = benchmarks_of_a_gate;
  options.terms = {"itself", "", std::random_device{}(), seconds, false, true};
  fs::remove_all(options.out);
  const GatePlan plan = prepare_gate(options, host.machine);
  RunOutcome outcome;
  {
    ProgressBar bar(terminal(STDERR_FILENO));
    outcome = execute_gate(plan, host, progress_shown_by(bar), stop);
  }
  if (!outcome.finished) return nullptr;
  const json document = gate_document(read_records(plan.run.folder / "records.jsonl"), plan);
  fs::remove_all(options.out);
  return try_of(document, slower);
}

std::string share_text(const json& row) {
  char text[96];
  std::snprintf(text, sizeof text, "%d of %d (95 %% interval %.1f to %.1f %%)", row.at("count").get<int>(),
                row.at("of").get<int>(), 100 * row.at("low").get<double>(), 100 * row.at("high").get<double>());
  return text;
}

void print(const json& calibration) {
  const json& alarms = calibration.at("false_alarms");
  std::cout << "Nothing changed: " << alarms.at("same") << " benchmarks same, " << alarms.at("undecided")
            << " undecided\n";
  for (const auto& [kind, words] :
       {std::pair{"regressed", "regressed"}, {"regressed_or_improved", "regressed or improved"}})
    for (const char* what : {"benchmarks", "gates"}) {
      const json& row = alarms.at(kind).at(what);
      std::cout << "  " << words << ": " << share_text(row) << " " << what << "; the procedure allows "
                << format_percent(row.at("bound")) << "\n";
    }
  for (const json& one : calibration.at("injected"))
    std::cout << percent_text(one.at("slower"), true) << ": found " << share_text(one.at("found"))
              << ", called the same " << one.at("same") << ", undecided " << one.at("undecided") << ", "
              << static_cast<int>(one.at("processes_a_try").get<double>()) << " processes a try\n";
  for (const json& row : calibration.at("benchmarks")) {
    std::cout << "  " << row.at("configuration").get<std::string>() << " " << row.at("metric").get<std::string>()
              << ": noise of a process " << percent_text(row.at("noise")) << ", sees "
              << percent_text(row.at("minimum_detectable_effect")) << " in " << row.at("processes") << " processes, ";
    if (row.at("preset").is_object())
      std::cout << "preset " << Preset{row.at("preset").at("floor"), row.at("preset").at("margin")}.text();
    const std::string reason = row.at("reason");
    std::cout << (row.at("preset").is_object() && !reason.empty() ? "; " : "") << reason << "\n";
  }
  if (calibration.at("gates_that_broke") != 0)
    std::cout << calibration.at("gates_that_broke") << " gates broke or measured nothing and do not count\n";
  if (calibration.at("gates_that_withdrew") != 0)
    std::cout << calibration.at("gates_that_withdrew")
              << " gates withdrew their verdicts (null control or steal) and do not count\n";
}

int calibrate(const CalibrateArguments& a, const Program& program) {
  const double slice = parse_duration(a.slice);
  const int threads = static_cast<int>(first_cpus(a.threads).size());
  setenv("ASSAY_SELFTEST", "1", 1);  // the programs show their hidden case
  const HostContext host = host_context(program);
  const fs::path folder = a.out.empty()
                              ? project_folder() / "results/machines" / host.machine.at("key").get<std::string>()
                              : fs::absolute(a.out);
  const fs::path installed = project_folder() / ".deps/gate";
  fs::create_directories(installed);
  fs::create_directories(folder);
  const MachineLock installation(installed / "lock");
  const fs::path self = fs::read_symlink("/proc/self/exe");
  install_sides(installed, self, self);

  const auto begin = Clock::now();
  const auto left = [&] { return slice - std::chrono::duration<double>(Clock::now() - begin).count(); };
  const auto& stop = stop_on_signals();
  const fs::path file = folder / "tries.jsonl";
  std::vector<json> tries = read_tries(file);
  double longest = 0;  // of one try
  std::optional<double> next;
  int in_vain = 0;  // gates in a row without a verdict
  while ((next = Progressed(tries, threads).next(a)) && left() > longest && !stop) {
    const double before = left();
    json one = one_try(*next, a, host, installed, 24 * 3600, stop);
    if (one.is_null()) break;
    Records(file).append(one);
    tries.push_back(std::move(one));
    longest = std::max(longest, before - left());
    in_vain = counts(tries.back()) ? 0 : in_vain + 1;
    if (in_vain == max_failed_gates)
      throw CommandError(exit_environment, std::to_string(in_vain) +
                                               " gates in a row came to no verdict; ./assay doctor says what is wrong "
                                               "here. The same command goes on with what was measured");
    const Progressed now(tries, threads);
    std::cerr << "assay: " << now.unchanged << "/" << a.no_change << " benchmarks without a change";
    for (const auto& [slower, count] : now.injected)
      std::cerr << ", " << count << "/" << a.tries << " of " << percent_text(slower, true);
    std::cerr << "\n";
  }
  const json calibration = calibration_of(tries, host.machine, threads);
  write_atomically(folder / "calibration.json", document_text(calibration));
  if (a.json)
    std::cout << document_text(calibration);
  else
    print(calibration);
  if (stop) return 130;
  if (next) std::cerr << "assay: not all tries are done; the same command goes on\n";
  return exit_ok;
}

}  // namespace

void add_calibrate(CLI::App& app, const Program& program, int& code) {
  auto* command = app.add_subcommand(
      "calibrate",
      "what the gate is worth on this machine: false alarms, smallest visible effect, noise of each benchmark");
  command->footer(
      "Measures this build against copies of itself, and against the hidden self-test case slowed by 5 and 10 %. What "
      "it finds is\n"
      "kept in results/machines/KEY/, and the gate takes its floors from there. Cut off, it goes on where it was.\n"
      "Example: ./assay calibrate --for 10m");
  auto a = std::make_shared<CalibrateArguments>();
  command->add_option("NAME", a->asked, "scenarios, cases or configurations; all that are gated when none is named");
  command->add_option("--no-change", a->no_change, "benchmarks to measure where nothing changed")
      ->check(CLI::Range(0, 100000))
      ->capture_default_str();
  command->add_option("--tries", a->tries, "tries of each injected slow-down")
      ->check(CLI::Range(0, 100000))
      ->capture_default_str();
  command->add_option("--for", a->slice, "begin no further try after this time: 80s, 10m")->capture_default_str();
  command->add_option("--threads", a->threads, "cores that a case may use")->check(CLI::Range(1, 4096));
  command->add_option("--out", a->out, "folder for what is kept; results/machines/KEY when left out");
  command->add_flag("--json", a->json, "print the calibration as JSON");
  command->callback([a, &program, &code] { code = calibrate(*a, program); });
}

}  // namespace assay::harness
