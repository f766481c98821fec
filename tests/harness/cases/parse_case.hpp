#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "harness/commands/case_options.hpp"
#include "harness/commands/strict_options.hpp"

namespace assay::harness::toy {

/// What `PROGRAM case` makes of the words after it.
inline Parameters parse_case(const Program& program, const std::vector<std::string>& words) {
  CaseArguments arguments;
  CLI::App app;
  add_case_options(app, arguments);
  make_options_strict(app);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  return complete_case(program, arguments);
}

}  // namespace assay::harness::toy
