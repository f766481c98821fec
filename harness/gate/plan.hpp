#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/gate/calibration.hpp"
#include "harness/gate/section.hpp"
#include "harness/gate/sequential_gate.hpp"
#include "harness/run/runner.hpp"

namespace assay::harness {

/// What a gate measures, and how. The programs speak the case protocol and lie in folders with paths of equal length.
struct GateOptions {
  std::filesystem::path candidate, baseline, null_copy;
  nlohmann::json baseline_program;              // commit and dirty of its `program` entry; null: as the program says
  std::vector<std::string> asked;               // scenarios, cases, configurations; empty: all that are gated
  std::map<std::string, std::string> injected;  // environment of the candidate's processes (self-test)
  std::optional<Preset> preset;                 // the user's, for all times
  CalibratedPresets calibrated;
  std::optional<int> settling_rounds;
  bool timed_only = false;        // leave out exact metrics
  int at_least_benchmarks = 1;    // stage 2 confirms as in a gate of at least so many
  std::string profile = "quick";  // of the candidate: repetitions and lengths
  std::uint64_t seed = 0;         // of the cases
  int threads = 0;
  std::filesystem::path data, out, runs;
  GateTerms terms;
};

/// A gate that is ready to start.
struct GatePlan {
  RunPlan run;
  GateSelection selection;
  std::vector<GatePlace> places;  // one a step
  std::vector<Look> looks;
  int at_least_benchmarks = 1;
  GateTerms terms;

  SequentialGate sequential_gate() const { return {selection.both, places, looks, at_least_benchmarks}; }
};

/// Asks the programs for their catalogues, selects the benchmarks and draws every round that may be needed. Writes
/// nothing. Throws CommandError 2 for wrong usage, 4 if the baseline does not speak this protocol or shares no
/// benchmark, and 5 if the candidate does not speak it or the machine is too noisy for all benchmarks.
GatePlan prepare_gate(const GateOptions& options, const nlohmann::json& machine);

}  // namespace assay::harness
