#include "harness/cases/not_empty.hpp"

#include <CLI/CLI.hpp>

namespace assay::harness {

void refuse_empty_texts(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (option->get_items_expected_max() > 0)  // no flag
      option->check(
          [](const std::string& text) { return text.empty() ? "expected a value, found an empty text" : ""; });
  for (CLI::App* command : app.get_subcommands({})) refuse_empty_texts(*command);
}

}  // namespace assay::harness
