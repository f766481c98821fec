#include "harness/commands/strict_options.hpp"

#include <CLI/CLI.hpp>

namespace assay::harness {

void make_options_strict(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() > 0)  // no flag
      option->check(
          [](const std::string& text) { return text.empty() ? "expected a value, found an empty text" : ""; });
    if (!option->get_positional()) option->allow_extra_args(false);
  }
  for (CLI::App* command : app.get_subcommands({})) make_options_strict(*command);
}

}  // namespace assay::harness
