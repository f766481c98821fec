#include "harness/machine/doctor.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iomanip>
#include <iostream>

#include "harness/commands/commands.hpp"
#include "harness/commands/measuring.hpp"
#include "harness/commands/terminal.hpp"
#include "harness/errors/errors.hpp"
#include "harness/machine/environment_table.hpp"
#include "harness/machine/gpu_clocks.hpp"
#include "harness/machine/identity.hpp"
#include "harness/machine/state.hpp"
#include "harness/run/machine_lock.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds sample{1000};  // 100 ticks a processor: 1 % of steal is seen

Finding lock() {
  try {
    const MachineLock held;
    return {"other runs", "none", Fitness::ok, "", ""};
  } catch (const CommandError& error) {
    return {"other runs", error.what(), Fitness::unfit, "two runs at once disturb each other",
            "wait until it ends, or stop it"};
  }
}

void print(const std::vector<Finding>& findings, bool colour) {
  static const std::map<Fitness, const char*> colours{
      {Fitness::ok, "\033[32m"}, {Fitness::note, ""}, {Fitness::doubtful, "\033[33m"}, {Fitness::unfit, "\033[31m"}};
  std::size_t wide = 0;
  for (const auto& one : findings) wide = std::max(wide, one.name.size());
  for (const auto& one : findings) {
    const std::string& verdict = name_of(one.fitness);
    std::cout << one.name << std::string(wide + 2 - one.name.size(), ' ') << (colour ? colours.at(one.fitness) : "")
              << verdict << (colour ? "\033[0m" : "") << std::string(10 - verdict.size(), ' ') << one.value << "\n";
    const std::string indent(wide + 12, ' ');
    if (!one.effect.empty()) std::cout << indent << one.effect << "\n";
    if (!one.command.empty()) std::cout << indent << "change it: " << one.command << "\n";
  }
}

void print_environment_table(bool json_wanted) {
  json rows = json::array();
  for (const auto& rule : environment_table()) {
    const std::string handling =
        std::string{name_of(rule.handling)} + (rule.value.empty() ? "" : " to " + std::string{rule.value});
    if (json_wanted)
      rows.push_back({{"name", rule.name},
                      {"handling", name_of(rule.handling)},
                      {"value", rule.value},
                      {"reader", rule.reader},
                      {"reason", rule.reason}});
    else
      std::cout << std::left << std::setw(34) << rule.name << std::setw(17) << handling << rule.reader << ": "
                << rule.reason << "\n";
  }
  if (json_wanted) std::cout << rows.dump(2) << "\n";
}

std::string summary(Fitness fitness) {
  switch (fitness) {
    case Fitness::unfit:
      return "No valid answer is possible on this machine at the moment.";
    case Fitness::doubtful:
      return "Measurements are possible, but what is doubtful makes them noisier or incomplete.";
    default:
      return "This machine is fit to measure.";
  }
}

}  // namespace

void add_doctor(CLI::App& app, const Program& program, int& code) {
  auto* command = app.add_subcommand(
      "doctor",
      "says whether this machine is fit to measure and what to change; exits 5 when no valid answer is possible");
  command->footer("Example: ./assay doctor");
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "print JSON");
  auto table = std::make_shared<bool>(false);
  command->add_flag("--environment", *table,
                    "list how each environment variable is handled and why, and do nothing else");
  command->callback([&program, as_json, table, &code] {
    if (*table) {
      print_environment_table(*as_json);
      return;
    }
    check_load_limit();
    const json identity = machine_identity(program.build);
    json state = machine_state(sample);
    if (identity.at("gpus").is_array()) state["gpu_clocks"] = gpu_clocks();
    auto findings = diagnose(identity, state, environment_report());
    findings.push_back(lock());
    const Fitness fitness = worst(findings);
    if (*as_json) {
      std::cout << json{{"key", machine_key(identity)}, {"verdict", name_of(fitness)}, {"findings", to_json(findings)}}
                       .dump(2)
                << "\n";
    } else {
      print(findings, terminal(STDOUT_FILENO).colour);
      std::cout << summary(fitness) << " (machine " << machine_key(identity) << ")\n";
    }
    code = fitness == Fitness::unfit ? exit_environment : exit_ok;
  });
}

}  // namespace assay::harness
