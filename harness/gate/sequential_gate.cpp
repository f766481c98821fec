#include "harness/gate/course.hpp"

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
void note_fault(GateTrack& track, const std::string& program, const std::string& text, bool skipped = false) {
  SideFault& side = program == candidate_name ? track.candidate_fault : track.baseline_fault;
  if (side.text.empty() || (side.skipped && !skipped)) side = {text, skipped};
}

}  // namespace

GateCourse::GateCourse(std::vector<GateBenchmark> benchmarks, std::vector<GatePlace> places, std::vector<Look> looks,
                       int at_least_benchmarks)
    : places_(std::move(places)), looks_(std::move(looks)) {
  for (auto& benchmark : benchmarks) {
    timed_ += !benchmark.exact();
    tracks_.push_back({std::move(benchmark), {}, {}, {}, {}, {}, {}});
  }
  counts_ = confirming_counts(std::max({1, timed_, at_least_benchmarks}));
  plan_ahead();
}

void GateCourse::apply(const json& record) {
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

void GateCourse::plan_ahead() {
  wanted_.clear();
  for (const GateTrack& track : tracks_) {
    auto& wanted = wanted_[track.benchmark.configuration];
    for (const int stage : {1, 2}) wanted[stage] = std::max(wanted[stage], wanted_rounds(track, stage));
  }
  // Where the control alarms there is nothing to confirm with.
  if (control_of_gate(null_differences_of_stage_one()).alarm)
    for (auto& [configuration, wanted] : wanted_) wanted[2] = 0;
}

// A wrong answer stays one when its round is repeated because another process broke: no speed without correctness.
void GateCourse::note_failed_checks(const std::string& configuration, const std::string& program, const json& events) {
  for (const json& event : events) {
    if (event.value("event", "") != "check" || event.value("passed", true)) continue;
    const std::string text = program + ": check \"" + event.at("name").get<std::string>() +
                             "\" failed: " + event.at("measured").dump() + ", limit " + event.at("limit").dump();
    bool gated = false;
    for (GateTrack& track : tracks_) {
      if (track.benchmark.configuration != configuration) continue;
      note_fault(track, program, text);
      gated = true;
    }
    if (!gated && program == candidate_name) wrong_answers_elsewhere_.insert(configuration + ": " + text);
  }
}

void GateCourse::close_round(const json& record) {
  const GatePlace& place = places_.at(record.at("step").get<std::size_t>());
  for (const json& left : record.at("left")) {
    const std::string configuration = left.at("configuration"), program = left.at("program"),
                      status = left.at("status");
    for (GateTrack& track : tracks_) {
      if (track.benchmark.configuration != configuration) continue;
      const bool skipped = status == "skipped";
      note_fault(track, program,
                 program + (skipped ? " was skipped: " : " failed: ") + left.at("reason").get<std::string>(), skipped);
    }
  }
  rounds_ += place.stage > 0;
  for (GateTrack& track : tracks_) {
    if (track.benchmark.configuration != place.configuration) continue;
    if (track.benchmark.exact())
      add_counts(track);
    else if (place.stage > 0)
      add_round(track, place);
  }
}

void GateCourse::add_counts(GateTrack& track) {
  for (const Sample& sample : pending_) {
    const auto number = number_of(sample.events, track.benchmark.metric);
    if (!number) {
      note_fault(track, sample.program, sample.program + " gave no number for " + track.benchmark.metric);
      continue;
    }
    (sample.program == candidate_name ? track.candidate_counts : track.baseline_counts).insert(*number);
  }
}

void GateCourse::add_round(GateTrack& track, const GatePlace& place) {
  GateRound round;
  bool first = true;
  for (const Sample& sample : pending_) {
    const auto number = number_of(sample.events, track.benchmark.metric);
    if (!number || !(*number > 0) || !std::isfinite(*number)) {
      note_fault(track, sample.program,
                 sample.program + " gave " + (number ? json(*number).dump() : "no number") + " for " +
                     track.benchmark.metric + "; a ratio needs a positive one");
      continue;
    }
    if (sample.program == candidate_name) {
      (first ? round.b1 : round.b2) = *number;
      first = false;
    } else {
      (sample.program == null_name ? round.null_a : round.a) = *number;
    }
  }
  if (track.usable()) (place.stage == 1 ? track.one : track.two).push_back(round);
}

/// How many rounds of a stage the track needs as far as is known now: up to its next look.
int GateCourse::wanted_rounds(const GateTrack& track, int stage) const {
  if (!track.usable() || track.benchmark.exact()) return 0;
  const Preset& preset = *track.benchmark.preset;
  const auto one = stage_one(track.one, preset, track.benchmark.higher(), looks_);
  if (stage == 1) {
    if (one.result != StageOne::open) return 0;
    for (const Look& look : looks_)
      if (look.rounds > std::ssize(track.one)) return look.rounds;
    return 0;
  }
  if (one.result != StageOne::candidate_slow && one.result != StageOne::candidate_fast) return 0;
  const auto two =
      stage_two(track.two, preset, track.benchmark.higher(), one.result == StageOne::candidate_slow, counts_);
  if (two.result != StageTwo::open) return 0;
  return two.rounds == 0 ? stage_two_rounds / 2 : stage_two_rounds;
}

bool GateCourse::wants(std::size_t step) const {
  const GatePlace& place = places_.at(step);
  if (place.stage == 0) return true;
  return place.round <= wanted_.at(place.configuration).at(place.stage);
}

std::vector<double> GateCourse::null_differences_of_stage_one() const {
  std::vector<double> all;
  std::set<std::string> seen;
  for (const GateTrack& track : tracks_) {
    if (track.benchmark.exact() || !track.usable() || !seen.insert(track.benchmark.configuration).second) continue;
    const auto z = null_differences(track.one, track.benchmark.higher());
    all.insert(all.end(), z.begin(), z.end());
  }
  return all;
}

double GateCourse::median_steal() const { return steal_.empty() ? 0 : median(steal_); }

}  // namespace assay::harness
