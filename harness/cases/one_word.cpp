#include "harness/cases/one_word.hpp"

#include <CLI/CLI.hpp>

namespace assay::harness {

void give_each_option_one_word(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (!option->get_positional()) option->allow_extra_args(false);
  for (CLI::App* command : app.get_subcommands({})) give_each_option_one_word(*command);
}

}  // namespace assay::harness
