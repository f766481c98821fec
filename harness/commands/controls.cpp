#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "harness/commands/commands.hpp"

namespace assay::harness {
namespace {

/// The controls as a case finds them. The environment that they need is set before a case's process starts, so it is
/// set here, too. Nothing is measured in this process.
nlohmann::json controls_of_a_case(const Program& program) {
  for (const auto& entry : program.controls({}))
    for (const auto& [name, value] : entry.environment_on) setenv(name.c_str(), value.c_str(), 1);
  return catalogue(program).at("controls");
}

}  // namespace

void add_controls(CLI::App& app, const Program& program, int&) {
  auto* command =
      app.add_subcommand("controls", "every automatic optimization: its name, what it does, whether it can act here");
  command->footer("Example: ./assay run tracing --off engine.prepack,engine.plan_memory");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "the same as JSON");
  command->callback([&program, json] {
    const auto entries = controls_of_a_case(program);
    if (*json) {
      std::cout << entries.dump(2) << "\n";
      return;
    }
    std::size_t width = 0;
    for (const auto& entry : entries) width = std::max(width, entry.at("name").get<std::string>().size());
    for (const auto& entry : entries) {
      const std::string name = entry.at("name");
      std::cout << name << std::string(width + 2 - name.size(), ' ') << entry.at("summary").get<std::string>() << "\n";
      if (!entry.at("acts").get<bool>())
        std::cout << std::string(width + 2, ' ') << "no effect: " << entry.at("reason").get<std::string>() << "\n";
    }
    std::cout << "All are on unless --off NAME,… or --off all says otherwise.\n";
  });
}

}  // namespace assay::harness
