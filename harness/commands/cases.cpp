#include <CLI/CLI.hpp>
#include <iostream>

#include "harness/commands/commands.hpp"

namespace assay::harness {

void add_cases(CLI::App& app, const Program& program, int&) {
  auto* command = app.add_subcommand("cases", "the catalogue of the case protocol, as JSON (docs/protocol.md)");
  auto data = std::make_shared<std::string>();
  command->add_option("--data", *data, "also read all data of this folder, and exit 2 where they are unusable");
  command->callback([&program, data] {
    program.check_data(data->empty() ? program.default_data : std::filesystem::path(*data));
    std::cout << catalogue(program).dump() << "\n";
  });
}

}  // namespace assay::harness
