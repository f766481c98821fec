#include "harness/gate/sequential_gate.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/gate/null_control.hpp"
#include "harness/results/samples.hpp"
#include "harness/stats/median.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

/// The last event that reports the metric, as one number.
std::optional<double> number_of(const json& events, const std::string& metric) {
  std::optional<double> found;
  for (const json& event : events)
    if ((event.at("event") == "samples" || event.at("event") == "value") && event.value("metric", "") == metric)
      found = sample_of(event);
  return found;
}

/// Keeps the first fault of each side; a failure replaces a skipped run.
void note_fault(BenchmarkState& state, const std::string& program, const std::string& text, bool skipped = false) {
  SideFault& side = program == candidate_name ? state.candidate_fault : state.baseline_fault;
  if (side.text.empty() || (side.skipped && !skipped)) side = {text, skipped};
}

}  // namespace

SequentialGate::SequentialGate(std::vector<GateBenchmark> benchmarks, std::vector<GatePlace> places,
                               std::vector<Look> looks, int at_least_benchmarks)
    : places_(std::move(places)), looks_(std::move(looks)) {
  for (auto& benchmark : benchmarks) {
    timed_ += !benchmark.exact();
    states_.push_back({std::move(benchmark), {}, {}, {}, {}, {}, {}});
  }
  counts_ = confirming_counts(std::max({1, timed_, at_least_benchmarks}));
  plan_ahead();
}

void SequentialGate::apply(const json& record) {
  const std::string kind = record.at("record");
  if (kind == "process") {
    ++processes_;
    steal_.push_back(record.value("steal_percent", 0.0));
    const std::string configuration = record.at("configuration"), program = record.at("program");
    note_failed_checks(configuration, program, record.at("events"));
    const bool in_round = !record.at("step").is_null();  // null: a service, which runs beside the rounds
    if (record.at("status") == "ok" && in_round) pending_.push_back({program, record.at("events")});
  }
  if (kind == "round") {
    if (record.at("complete").get<bool>()) close_round(record);
    pending_.clear();
    plan_ahead();
  }
}

void SequentialGate::plan_ahead() {
  wanted_.clear();
  for (const BenchmarkState& state : states_) {
    auto& wanted = wanted_[state.benchmark.configuration];
    for (const int stage : {1, 2}) wanted[stage] = std::max(wanted[stage], wanted_rounds(state, stage));
  }
  // After an alarm of the null control nothing can be confirmed.
  if (control_of_gate(null_differences_of_stage_one()).alarm)
    for (auto& [configuration, wanted] : wanted_) wanted[2] = 0;
}

// A wrong answer counts even if its round is repeated because another process broke.
void SequentialGate::note_failed_checks(const std::string& configuration, const std::string& program,
                                        const json& events) {
  for (const json& event : events) {
    if (event.value("event", "") != "check" || event.value("passed", true)) continue;
    const std::string text = program + ": check \"" + event.at("name").get<std::string>() +
                             "\" failed: " + event.at("measured").dump() + ", limit " + event.at("limit").dump();
    bool gated = false;
    for (BenchmarkState& state : states_) {
      if (state.benchmark.configuration != configuration) continue;
      note_fault(state, program, text);
      gated = true;
    }
    if (!gated && program == candidate_name) wrong_answers_elsewhere_.insert(configuration + ": " + text);
  }
}

void SequentialGate::close_round(const json& record) {
  const GatePlace& place = places_.at(record.at("step").get<std::size_t>());
  for (const json& left : record.at("left")) {
    const std::string configuration = left.at("configuration"), program = left.at("program"),
                      status = left.at("status");
    for (BenchmarkState& state : states_) {
      if (state.benchmark.configuration != configuration) continue;
      const bool skipped = status == "skipped";
      note_fault(state, program,
                 program + (skipped ? " was skipped: " : " failed: ") + left.at("reason").get<std::string>(), skipped);
    }
  }
  rounds_ += place.stage > 0;
  for (BenchmarkState& state : states_) {
    if (state.benchmark.configuration != place.configuration) continue;
    if (state.benchmark.exact())
      add_counts(state);
    else if (place.stage > 0)
      add_round(state, place);
  }
}

void SequentialGate::add_counts(BenchmarkState& state) {
  for (const Sample& sample : pending_) {
    const auto number = number_of(sample.events, state.benchmark.metric);
    if (!number) {
      note_fault(state, sample.program, sample.program + " gave no number for " + state.benchmark.metric);
      continue;
    }
    (sample.program == candidate_name ? state.candidate_counts : state.baseline_counts).insert(*number);
  }
}

void SequentialGate::add_round(BenchmarkState& state, const GatePlace& place) {
  GateRound round;
  bool first = true;
  for (const Sample& sample : pending_) {
    const auto number = number_of(sample.events, state.benchmark.metric);
    if (!number || !(*number > 0) || !std::isfinite(*number)) {
      note_fault(state, sample.program,
                 sample.program + " gave " + (number ? json(*number).dump() : "no number") + " for " +
                     state.benchmark.metric + "; a ratio needs a positive one");
      continue;
    }
    if (sample.program == candidate_name) {
      (first ? round.b1 : round.b2) = *number;
      first = false;
    } else {
      (sample.program == null_name ? round.null_a : round.a) = *number;
    }
  }
  if (state.usable()) (place.stage == 1 ? state.one : state.two).push_back(round);
}

/// The rounds of a stage that the benchmark needs up to its next look.
int SequentialGate::wanted_rounds(const BenchmarkState& state, int stage) const {
  if (!state.usable() || state.benchmark.exact()) return 0;
  const Preset& preset = *state.benchmark.preset;
  const auto one = stage_one(state.one, preset, state.benchmark.higher(), looks_);
  if (stage == 1) {
    if (one.result != StageOne::open) return 0;
    for (const Look& look : looks_)
      if (look.rounds > std::ssize(state.one)) return look.rounds;
    return 0;
  }
  if (one.result != StageOne::candidate_slow && one.result != StageOne::candidate_fast) return 0;
  const auto two =
      stage_two(state.two, preset, state.benchmark.higher(), one.result == StageOne::candidate_slow, counts_);
  if (two.result != StageTwo::open) return 0;
  return two.rounds == 0 ? stage_two_rounds / 2 : stage_two_rounds;
}

bool SequentialGate::wants(std::size_t step) const {
  const GatePlace& place = places_.at(step);
  if (place.stage == 0) return true;
  return place.round <= wanted_.at(place.configuration).at(place.stage);
}

std::vector<double> SequentialGate::null_differences_of_stage_one() const {
  std::vector<double> all;
  std::set<std::string> seen;
  for (const BenchmarkState& state : states_) {
    if (state.benchmark.exact() || !state.usable() || !seen.insert(state.benchmark.configuration).second) continue;
    const auto z = null_differences(state.one, state.benchmark.higher());
    all.insert(all.end(), z.begin(), z.end());
  }
  return all;
}

double SequentialGate::median_steal() const { return steal_.empty() ? 0 : median(steal_); }

}  // namespace assay::harness
