#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "harness/commands/commands.hpp"

namespace assay::harness {

void add_controls(CLI::App& app, const Program& program, int&) {
  auto* command =
      app.add_subcommand("controls", "every automatic optimization: its name, what it does, whether it can act here");
  command->footer("Example: ./assay run tracing --off engine.prepack,engine.plan_memory");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "the same as JSON");
  command->callback([&program, json] {
    const auto entries = program.controls({});
    if (*json) {
      std::cout << catalogue(program).at("controls").dump(2) << "\n";
      return;
    }
    std::size_t width = 0;
    for (const auto& entry : entries) width = std::max(width, entry.name.size());
    for (const auto& entry : entries) {
      std::cout << entry.name << std::string(width + 2 - entry.name.size(), ' ') << entry.summary << "\n";
      if (!entry.acts) std::cout << std::string(width + 2, ' ') << "no effect: " << entry.reason << "\n";
    }
    std::cout << "All are on unless --off NAME,… or --off all says otherwise.\n";
  });
}

}  // namespace assay::harness
