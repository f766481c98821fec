#pragma once
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/cases/program.hpp"

namespace assay::harness {

/// What `run` and `reproduce` ask for.
struct RunArguments {
  std::vector<std::string> scenarios, off, expect, programs;
  std::string profile = "standard", data, out, resume;
  std::uint64_t seed = 0;
  int threads = 0;
  bool json = false, no_report = false;
  /// Prints a finished run for people: document, where to, in colour or not, columns. The verdict table where empty.
  std::function<void(const nlohmann::json&, std::ostream&, bool, int)> print{};
};

/// Measures, writes run.json, prints, draws the report; returns the exit code.
int run(const RunArguments& arguments, const Program& program);

}  // namespace assay::harness
