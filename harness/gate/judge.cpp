#include "harness/gate/judge.hpp"

#include <cmath>
#include <stdexcept>

#include "harness/gate/minimum_detectable_effect.hpp"
#include "harness/gate/null_control.hpp"
#include "harness/gate/number_text.hpp"
#include "harness/stats/median.hpp"
#include "harness/stats/paired.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

void say(json& row, const std::string& verdict, const std::string& reason = "") {
  row["verdict"] = verdict;
  row["reason"] = reason;
}

/// Turns "how much worse", a log, into candidate / baseline.
double ratio(double log_worse, bool higher) { return shown(Form::ratio, higher ? -log_worse : log_worse); }

json round_rows(const BenchmarkState& state) {
  json rows = json::array();
  for (const int stage : {1, 2}) {
    int number = 0;
    for (const GateRound& round : stage == 1 ? state.one : state.two)
      rows.push_back({{"stage", stage},
                      {"round", ++number},
                      {"baseline", round.a},
                      {"null", round.null_a},
                      {"candidate", {round.b1, round.b2}}});
  }
  return rows;
}

double median_of(const BenchmarkState& state, bool candidate) {
  std::vector<double> samples;
  for (const auto* rounds : {&state.one, &state.two})
    for (const GateRound& round : *rounds) {
      samples.push_back(candidate ? round.b1 : round.a);
      samples.push_back(candidate ? round.b2 : round.null_a);
    }
  return median(samples);
}

/// Fills in the estimate, the interval and its coverage at the last look.
void fill_numbers(json& row, const std::vector<GateRound>& rounds, int look, int spared, bool higher) {
  const auto statistic = statistic_of(std::span(rounds).first(static_cast<std::size_t>(look)), higher);
  const double low = ratio(statistic.low(spared), higher), high = ratio(statistic.high(spared), higher);
  row["estimate"] = ratio(statistic.effect, higher);
  row["low"] = std::min(low, high);
  row["high"] = std::max(low, high);
  row["confidence"] = 1 - 2 * null_tail(look, 4 * look - spared);
}

void explain_undecided(json& row, const std::vector<GateRound>& rounds, int look, int spared,
                       const GateBenchmark& benchmark) {
  const auto statistic = statistic_of(std::span(rounds).first(static_cast<std::size_t>(look)), benchmark.higher());
  const double half_width = (statistic.high(spared) - statistic.low(spared)) / 2;
  row["minimum_detectable_effect"] = minimum_detectable_effect(half_width, *benchmark.preset);
  const auto settling = rounds_to_settle(look, statistic.effect, half_width, *benchmark.preset);
  if (settling.rounds) {
    row["rounds_to_settle"] = *settling.rounds;
    return;
  }
  char text[96];
  std::snprintf(text, sizeof text, "not here: the noise of a process must fall by a factor of %.2f",
                settling.noise_must_fall_by);
  const std::string before = row.at("reason");
  row["reason"] = before + (before.empty() ? "" : "; ") + text;
}

json control_row(const NullControl& control) {
  return {{"rounds", control.rounds},
          {"p", control.p},
          {"median_ratio", std::exp(control.median)},
          {"alarm", control.alarm}};
}

void judge_exact(json& row, const BenchmarkState& state) {
  const auto& before = state.baseline_counts;
  const auto& after = state.candidate_counts;
  if (before.empty() || after.empty()) return say(row, "undecided", "the budget ended before it was counted");
  for (const auto* side : {&before, &after})
    if (side->size() > 1)
      return say(row, "invalid",
                 std::string(side == &before ? "the baseline's" : "the candidate's") + " own processes disagree: " +
                     number_text(*side->begin()) + " and " + number_text(*side->rbegin()) + "; it is no exact number");
  const double from = *before.begin(), to = *after.begin();
  row["baseline"] = from;
  row["candidate"] = to;
  if (from == to) return say(row, "same");
  const std::string change = number_text(from) + " -> " + number_text(to);
  if (state.benchmark.better.empty()) return say(row, "changed", change);
  say(row, (to > from) == state.benchmark.higher() ? "improved" : "regressed", change);
}

void judge_time(json& row, const BenchmarkState& state, const SequentialGate& gate) {
  const GateBenchmark& benchmark = state.benchmark;
  const bool higher = benchmark.higher();
  if (state.one.empty()) return say(row, "undecided", "the budget ended before its first round");
  row["baseline"] = median_of(state, false);
  row["candidate"] = median_of(state, true);
  const auto one = stage_one(state.one, *benchmark.preset, higher, gate.looks());
  const bool slow = one.result == StageOne::candidate_slow, candidate = slow || one.result == StageOne::candidate_fast;
  const auto two =
      candidate ? stage_two(state.two, *benchmark.preset, higher, slow, gate.counts()) : StageResult<StageTwo>{};
  const bool second = two.rounds > 0;
  row["stage"] = candidate ? 2 : 1;
  if (one.rounds == 0)
    return say(row, "undecided",
               "the budget ended after " + std::to_string(state.one.size()) + " of the " +
                   std::to_string(gate.looks().front().rounds) + " rounds of its first look");
  const auto& rounds = second ? state.two : state.one;
  const int look = second ? two.rounds : one.rounds, spared = second ? two.spared : one.spared;
  fill_numbers(row, rounds, look, spared, higher);

  if (one.result == StageOne::same || (candidate && two.result == StageTwo::same)) return say(row, "same");
  if (candidate && two.result == StageTwo::confirmed) {
    auto z = null_differences(state.one, higher);
    const auto more = null_differences(state.two, higher);
    z.insert(z.end(), more.begin(), more.end());
    const NullControl control = control_of_benchmark(z, *benchmark.preset);
    row["null"] = control_row(control);
    if (control.alarm)
      return say(
          row, "invalid",
          "null control: the baseline differs from its own copy by " + percent_text(std::expm1(control.median), true));
    return say(row, slow ? "regressed" : "improved");
  }
  if (candidate)
    say(row, "undecided",
        two.result == StageTwo::undecided ? "not confirmed by fresh rounds"
                                          : "not confirmed: the budget ended before it could be");
  else
    say(row, "undecided",
        one.result == StageOne::undecided ? ""
                                          : "the budget ended after " + std::to_string(state.one.size()) + " rounds");
  explain_undecided(row, rounds, look, spared, benchmark);
}

json place_json(const Declaration& at) {
  return at.file.empty() ? json(nullptr) : json{{"file", at.file}, {"line", at.line}};
}

json empty_row(const GateBenchmark& benchmark) {
  return {{"configuration", benchmark.configuration},
          {"metric", benchmark.metric},
          {"unit", benchmark.unit},
          {"better", benchmark.better},
          {"exact", benchmark.exact()},
          {"preset", benchmark.exact() ? json(nullptr)
                                       : json{{"floor", benchmark.preset->floor},
                                              {"margin", benchmark.preset->margin},
                                              {"from", benchmark.preset_from}}},
          {"note", benchmark.note},
          {"declared_at", place_json(benchmark.declared_at)},
          {"verdict", "undecided"},
          {"reason", ""},
          {"stage", nullptr},
          {"rounds", {{"stage_1", 0}, {"stage_2", 0}}},
          {"baseline", nullptr},
          {"candidate", nullptr},
          {"estimate", nullptr},
          {"low", nullptr},
          {"high", nullptr},
          {"confidence", nullptr},
          {"minimum_detectable_effect", nullptr},
          {"rounds_to_settle", nullptr},
          {"null", nullptr},
          {"samples", json::array()}};
}

/// An invalid row shows no number that a reader could take for a result; its raw rounds stay.
void withdraw_numbers(json& row) {
  for (const char* name : {"estimate", "low", "high", "confidence", "minimum_detectable_effect", "rounds_to_settle"})
    row[name] = nullptr;
}

}  // namespace

json judge_benchmark(const BenchmarkState& state, const SequentialGate& gate, const std::string& unfit) {
  json row = empty_row(state.benchmark);
  row["rounds"] = {{"stage_1", state.one.size()}, {"stage_2", state.two.size()}};
  row["samples"] = round_rows(state);
  if (!state.usable()) {
    const SideFault &candidate = state.candidate_fault, &baseline = state.baseline_fault;
    say(row, candidate.failed() || baseline.failed() ? "invalid" : "skipped",
        candidate.text + (candidate.text.empty() || baseline.text.empty() ? "" : "; ") + baseline.text);
    return row;
  }
  if (state.benchmark.exact()) {
    judge_exact(row, state);
    return row;
  }
  try {
    judge_time(row, state, gate);
  } catch (const std::domain_error& error) {  // a ratio that a double cannot hold
    say(row, "invalid", error.what());
  }
  if (!unfit.empty()) say(row, "invalid", unfit);
  if (row.at("verdict") == "invalid") withdraw_numbers(row);
  return row;
}

json unmeasured_row(const GateBenchmark& benchmark, const std::string& verdict, const std::string& reason) {
  json row = empty_row(benchmark);
  say(row, verdict, reason);
  return row;
}

}  // namespace assay::harness
