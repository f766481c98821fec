#include <CLI/CLI.hpp>
#include <memory>

#include "harness/commands/case_options.hpp"
#include "harness/commands/commands.hpp"

namespace assay::harness {

void add_case(CLI::App& app, const Program& program, int& code) {
  auto* command =
      app.add_subcommand("case", "runs one case and prints its events (docs/protocol.md): what the harness starts");
  command->footer("Example: ./assay case tracing.weights --out /tmp/weights");
  auto arguments = std::make_shared<CaseArguments>();
  add_case_options(*command, *arguments);
  command->callback([arguments, &program, &code] { code = run_case(program, complete_case(program, *arguments)); });
}

}  // namespace assay::harness
