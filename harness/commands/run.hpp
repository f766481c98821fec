#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/program.hpp"
#include "harness/run/runner.hpp"

namespace assay::harness {

/// What `run` and the commands that measure as it does ask for.
struct RunArguments {
  std::vector<std::string> scenarios, off, expect, programs;
  std::string profile = "standard", data, out, resume;
  std::uint64_t seed = 0;
  int threads = 0;
  bool json = false, no_report = false;
  std::optional<RunPurpose> rewrite{};
};

/// What a run is asked for, before anything is measured.
RunOptions options_of(const RunArguments& arguments);

/// Measures, writes run.json, prints, draws the report; returns the exit code.
int run(const RunArguments& arguments, const Program& program);

}  // namespace assay::harness
