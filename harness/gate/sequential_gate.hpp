#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/gate/selection.hpp"
#include "harness/gate/stages.hpp"

namespace assay::harness {

/// The names of the programs in a gate's run.
inline const std::string candidate_name = "candidate", baseline_name = "baseline", null_name = "null";

/// The place of a step in the procedure. Stage 0 makes artifacts and counts once, before the rounds.
struct GatePlace {
  int stage = 0, round = 0;  // of the stage, from 1
  std::string configuration;
};

/// Why one side of a benchmark allows no verdict; empty text if it allows one.
struct SideFault {
  std::string text;
  bool skipped = false;  // the program skipped the case, which is no failure

  bool failed() const { return !text.empty() && !skipped; }
};

/// The state of one benchmark: what was measured so far.
struct BenchmarkState {
  GateBenchmark benchmark;
  std::vector<GateRound> one, two;                     // complete rounds of the two stages
  std::set<double> baseline_counts, candidate_counts;  // of an exact benchmark, over all processes
  SideFault candidate_fault, baseline_fault;           // the first of each side

  bool usable() const { return candidate_fault.text.empty() && baseline_fault.text.empty(); }
};

/// The gate's procedure over a schedule: which steps are still needed, and what was measured. Its state follows from
/// the records alone, so that it is the same while the gate runs and afterwards.
class SequentialGate {
 public:
  /// `places` has one entry a step of the schedule, `looks` are those of stage 1. Stage 2 confirms as in a gate of at
  /// least `at_least_benchmarks`.
  SequentialGate(std::vector<GateBenchmark> benchmarks, std::vector<GatePlace> places, std::vector<Look> looks,
                 int at_least_benchmarks = 1);

  /// Takes a record as it is written to records.jsonl.
  void apply(const nlohmann::json& record);

  /// Whether a step is still needed: its configuration has no verdict yet, and every earlier look was taken.
  bool wants(std::size_t step) const;

  const std::vector<BenchmarkState>& states() const { return states_; }
  /// Failed checks of the candidate in cases that are no benchmark but make artifacts for one.
  const std::set<std::string>& wrong_answers_elsewhere() const { return wrong_answers_elsewhere_; }
  const std::vector<Look>& looks() const { return looks_; }
  const ConfirmingCounts& counts() const { return counts_; }
  int timed() const { return timed_; }
  int processes() const { return processes_; }
  int rounds() const { return rounds_; }  // complete ones, of both stages
  /// The null differences of all rounds of stage 1. Metrics of one process are not independent and count once.
  std::vector<double> null_differences_of_stage_one() const;
  /// Median steal of the processes, percent.
  double median_steal() const;

 private:
  struct Sample {
    std::string program;
    nlohmann::json events;
  };
  void close_round(const nlohmann::json& record);
  void add_round(BenchmarkState& state, const GatePlace& place);
  void add_counts(BenchmarkState& state);
  void note_failed_checks(const std::string& configuration, const std::string& program, const nlohmann::json& events);
  int wanted_rounds(const BenchmarkState& state, int stage) const;
  void plan_ahead();

  std::vector<BenchmarkState> states_;
  std::vector<GatePlace> places_;
  std::vector<Look> looks_;
  ConfirmingCounts counts_;
  std::map<std::string, std::map<int, int>> wanted_;  // rounds of each stage up to the next look, by configuration
  std::vector<Sample> pending_;                       // of the round that is not closed yet
  std::vector<double> steal_;
  std::set<std::string> wrong_answers_elsewhere_;
  int timed_ = 0, processes_ = 0, rounds_ = 0;
};

}  // namespace assay::harness
