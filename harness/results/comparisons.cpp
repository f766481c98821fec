#include "harness/results/comparisons.hpp"

#include <optional>
#include <stdexcept>

#include "harness/stats/paired.hpp"
#include "harness/stats/paired_rows.hpp"
#include "harness/stats/verdict.hpp"
#include "harness/text/format_number.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;
using Reasons = std::vector<std::string>;

json or_null(const auto& value) { return value ? json(*value) : json(nullptr); }

std::string number_text(const std::optional<double>& value) { return value ? format_number(*value) : "not finite"; }

std::string joined(const Reasons& reasons) {
  std::string text;
  for (const std::string& reason : reasons) text += (text.empty() ? "" : "; ") + reason;
  return text;
}

const Measured* find(const Measurements& measurements, const std::string& program, const std::string& configuration) {
  const auto of_program = measurements.find(program);
  if (of_program == measurements.end()) return nullptr;
  const auto found = of_program->second.find(configuration);
  return found == of_program->second.end() ? nullptr : &found->second;
}

/// The samples of one side, or nullptr with what is wrong added to `reasons`.
const MetricSamples* usable(const Measured* side, const std::string& configuration, const std::string& metric,
                            Reasons& reasons) {
  if (!side) {
    reasons.push_back(configuration + " did not run");
    return nullptr;
  }
  if (!side->failed.empty()) reasons.push_back(configuration + " failed: " + side->failed);
  if (!side->skipped.empty()) reasons.push_back(configuration + " was skipped: " + side->skipped);
  for (const FailedCheck& check : side->failed_checks)
    reasons.push_back(configuration + ": check \"" + check.name + "\" failed: " + number_text(check.measured) +
                      ", limit " + number_text(check.limit));
  if (!side->failed.empty() || !side->skipped.empty() || !side->failed_checks.empty()) return nullptr;
  const auto found = side->metrics.find(metric);
  if (found == side->metrics.end()) {
    reasons.push_back(configuration + " reported no " + metric);
    return nullptr;
  }
  if (!found->second.problem.empty()) {
    reasons.push_back(configuration + ": " + metric + ": " + found->second.problem);
    return nullptr;
  }
  return &found->second;
}

/// The pairs of the rounds; throws std::domain_error where a round has one side only, or what pair() throws.
Paired pairs_of(Form form, const MetricSamples& baseline, const MetricSamples& candidate) {
  std::vector<double> left, right;
  for (const auto& [round, sample] : baseline.by_round) {
    if (!candidate.by_round.contains(round))
      throw std::domain_error("the candidate has no sample of " + baseline.per + " " + std::to_string(round));
    left.push_back(sample);
    right.push_back(candidate.by_round.at(round));
  }
  if (left.size() != candidate.by_round.size()) throw std::domain_error("the baseline lacks a " + baseline.per);
  return pair(form, left, right);
}

json paired_rows(const Measured& baseline, const Measured& candidate) {
  json rows = json::array();
  for (const auto& [seed, mine] : candidate.predictions) {
    const auto found = baseline.predictions.find(seed);
    if (found == baseline.predictions.end() || found->second.at("expected") != mine.at("expected")) continue;
    using Labels = std::vector<std::int64_t>;
    const PairedRows table = compare_rows(found->second.at("predicted").get<Labels>(),
                                          mine.at("predicted").get<Labels>(), mine.at("expected").get<Labels>());
    rows.push_back({{"seed", seed},
                    {"name", mine.at("name")},
                    {"rows", table.rows},
                    {"changed", table.changed},
                    {"gained", table.gained},
                    {"lost", table.lost},
                    {"p", table.p}});
  }
  return rows;
}

/// Fills in what the pairs say.
void fill(json& row, const Paired& paired) {
  const bool exact = row.at("exact");
  const Form form = paired.form;
  const double margin = row.at("margin");
  const Judgement judged =
      exact ? judge_exact(paired, margin, row.at("better")) : judge(paired, margin, row.at("better"));
  json samples = json::array();
  for (const double effect : paired.effects) samples.push_back(shown(form, effect));
  row["estimate"] = shown(form, paired.effect);
  if (paired.interval) {
    row["low"] = shown(form, paired.interval->low);
    row["high"] = shown(form, paired.interval->high);
    row["confidence"] = paired.interval->confidence;
  }
  row["n"] = samples.size();
  row["samples"] = std::move(samples);
  row["verdict"] = name_of(judged.verdict);
  row["reason"] = exact ? "exact: measured once, without an interval" : judged.reason;
  row["minimum_detectable_effect"] = or_null(judged.minimum_detectable_effect);
  row["rounds_to_settle"] = or_null(judged.rounds_to_settle);
}

}  // namespace

void compare_sides(json& row, const Sides& sides, std::vector<std::string> reasons) {
  row.update({{"per", "round"},
              {"exact", false},
              {"n", 0},
              {"samples", json::array()},
              {"estimate", nullptr},
              {"low", nullptr},
              {"high", nullptr},
              {"confidence", nullptr},
              {"verdict", "invalid"},
              {"minimum_detectable_effect", nullptr},
              {"rounds_to_settle", nullptr},
              {"checks_failed", json::array()},
              {"paired_rows", json::array()}});
  const std::string metric = row.at("metric");
  const Measured *const left = sides.baseline.measured, *const right = sides.candidate.measured;
  const MetricSamples* const base = usable(left, sides.baseline.label, metric, reasons);
  const MetricSamples* const cand = usable(right, sides.candidate.label, metric, reasons);
  for (const Measured* side : {left, right}) {
    if (!side) continue;
    for (const FailedCheck& check : side->failed_checks) row["checks_failed"].push_back(to_json(check));
    if (const auto found = side->metrics.find(metric); found != side->metrics.end()) {
      row["unit"] = found->second.unit;
      row["better"] = found->second.better;
      row["per"] = found->second.per;
    }
  }
  if (base && cand && reasons.empty()) {
    try {
      const Paired paired = pairs_of(form_of(row.at("form")), *base, *cand);
      row["exact"] = base->exact() && cand->exact();
      json filled = row;  // a copy: what is too large to show leaves no half-filled row
      fill(filled, paired);
      filled["paired_rows"] = paired_rows(*left, *right);
      row = std::move(filled);
      return;
    } catch (const std::domain_error& error) {
      reasons.push_back(error.what());
    }
  }
  row["reason"] = joined(reasons);
}

json compare(const json& comparison, const json& scenario, const std::string& program, const Measurements& measurements,
             const Circumstances& circumstances) {
  const std::string baseline = comparison.at("baseline"), candidate = comparison.at("candidate");
  json row{{"id", comparison.at("id")},
           {"scenario", scenario.at("name")},
           {"program", program},
           {"metric", comparison.at("metric")},
           {"unit", ""},
           {"better", ""},
           {"form", comparison.at("form")},
           {"margin", comparison.at("margin")},
           {"baseline", baseline},
           {"candidate", candidate}};
  Reasons reasons = circumstances.unfit;
  if (sides_equal(baseline, candidate, scenario, circumstances.off))
    reasons.push_back("both sides are the same once " + joined(circumstances.off) + " is off everywhere");
  compare_sides(
      row, {{candidate, find(measurements, program, candidate)}, {baseline, find(measurements, program, baseline)}},
      reasons);
  return row;
}

}  // namespace assay::harness
