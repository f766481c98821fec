#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

#include "harness/commands/commands.hpp"
#include "harness/commands/progress.hpp"

namespace assay::harness {
namespace {

void print_scenarios(const nlohmann::json& catalogue) {
  for (const auto& scenario : catalogue.at("scenarios")) {
    std::cout << scenario.at("name").get<std::string>() << "  " << scenario.at("question").get<std::string>() << "\n";
    for (const auto& one : scenario.at("cases")) {
      std::cout << "  " << one.at("name").get<std::string>();
      for (const auto& parameter : one.at("parameters")) {
        std::cout << "  " << parameter.at("name").get<std::string>() << "=";
        const char* between = "";
        for (const auto& value : parameter.at("values")) {
          std::cout << between << value.get<std::string>();
          between = "|";
        }
      }
      std::cout << "  (" << one.at("kind").get<std::string>() << ")\n";
    }
    const auto& budget = scenario.at("budget_s");
    if (budget.empty()) continue;
    std::cout << "  takes about";
    const char* between = " ";
    for (const auto& [profile, seconds] : budget.items()) {
      std::cout << between << duration_text(seconds.get<double>()) << " in " << profile;
      between = ", ";
    }
    std::cout << "\n";
  }
  std::cout << "profiles";
  for (const auto& profile : catalogue.at("profiles")) std::cout << "  " << profile.at("name").get<std::string>();
  std::cout << "\n";
}

}  // namespace

void add_list(CLI::App& app, const Program& program, int&) {
  auto* command = app.add_subcommand("list", "scenarios, their cases and parameters, and how long they take");
  command->footer("Example: ./assay list");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "the catalogue as JSON (docs/protocol.md)");
  command->callback([&program, json] {
    const auto all = catalogue(program);
    if (*json) {
      std::cout << all.dump(2) << "\n";
    } else {
      print_scenarios(all);
    }
  });
}

}  // namespace assay::harness
