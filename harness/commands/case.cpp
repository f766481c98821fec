#include <CLI/CLI.hpp>

#include "harness/commands/commands.hpp"

namespace assay::harness {

void add_case(CLI::App& app, const Program& program, int& code) {
  auto* command =
      app.add_subcommand("case", "runs one case and prints its events (docs/protocol.md): what the harness starts");
  command->footer(
      "CASE --set KEY=VALUE --off CONTROL,... --artifact NAME=PATH --seed N --threads N --budget-ms N --repetitions N\n"
      "     --length KEY=VALUE --data DIR --out DIR\n"
      "Example: ./assay case tracing.weights --out /tmp/weights");
  command->prefix_command();
  command->callback(
      [command, &program, &code] { code = run_case(program, parse_case(program, command->remaining())); });
}

}  // namespace assay::harness
