#include "harness/results/against.hpp"

#include "harness/cases/case_id.hpp"
#include "harness/results/comparisons.hpp"
#include "harness/stats/median.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

constexpr const char* overhead_metric = "call_overhead";
constexpr double margin = 0.05;  // as a comparison's own default

json middle(const MetricSamples* metric) {
  if (!metric || metric->by_round.empty()) return nullptr;
  std::vector<double> values;
  for (const auto& [round, value] : metric->by_round) values.push_back(value);
  return median(values);
}

const MetricSamples* metric_of(const Measured& side, const std::string& name) {
  const auto found = side.metrics.find(name);
  return found == side.metrics.end() ? nullptr : &found->second;
}

/// The same side with the call overhead subtracted, round by round.
Measured without_call_overhead(Measured side, const std::string& metric) {
  MetricSamples& samples = side.metrics.at(metric);
  const MetricSamples& overhead = side.metrics.at(overhead_metric);
  for (auto& [round, value] : samples.by_round) {
    const auto found = overhead.by_round.find(round);
    if (found == overhead.by_round.end())
      samples.problem = "no call overhead in round " + std::to_string(round);
    else
      value -= found->second;
  }
  return side;
}

json row(const Measured& ours, const Measured& theirs, const json& declared, const std::vector<std::string>& unfit) {
  const std::string metric = declared.at("name");
  const std::string configuration = ours.configuration;
  json made{{"scenario", configuration.substr(0, configuration.find('.'))},
            {"configuration", configuration},
            {"metric", metric},
            {"unit", declared.value("unit", "")},
            {"better", declared.value("better", "")},
            {"program", ours.program},
            {"peer", theirs.program},
            {"form", "ratio"},
            {"margin", margin},
            {"ours", middle(metric_of(ours, metric))},
            {"theirs", middle(metric_of(theirs, metric))},
            // The overhead is a time: it is not subtracted from a share or a count.
            {"call_overhead",
             declared.value("unit", "") == "ns" ? middle(metric_of(theirs, overhead_metric)) : json(nullptr)},
            {"without_call_overhead", nullptr}};
  const Sides sides{{ours.program + ":" + configuration, &ours}, {theirs.program + ":" + configuration, &theirs}};
  compare_sides(made, sides, unfit);
  if (made.at("verdict") == "invalid" || made.at("call_overhead").is_null()) return made;
  const Measured less = without_call_overhead(theirs, metric);
  json second = made;
  compare_sides(second, {sides.candidate, {sides.baseline.label, &less}}, unfit);
  json& kept = made["without_call_overhead"] = json::object();
  for (const char* key : {"estimate", "low", "high", "confidence", "verdict", "reason"}) kept[key] = second.at(key);
  return made;
}

const Measured* side_of(const Measurements& measurements, const std::string& program,
                        const std::string& configuration) {
  const auto of_program = measurements.find(program);
  if (of_program == measurements.end()) return nullptr;
  const auto found = of_program->second.find(configuration);
  return found == of_program->second.end() ? nullptr : &found->second;
}

/// What was skipped or failed has no metrics, but was to be measured: a row that says why there are no numbers.
bool was_to_measure(const Measured& side, const std::string& metric) {
  return side.metrics.contains(metric) || !side.skipped.empty() || !side.failed.empty();
}

const json& metrics_of(const json& scenario, const std::string& case_name) {
  for (const json& one : scenario.at("cases"))
    if (one.at("name") == case_name && one.at("kind") == "timed") return one.at("metrics");
  static const json none = json::array();
  return none;
}

}  // namespace

json against_others(const std::vector<std::string>& programs, const Measurements& measurements, const json& scenarios,
                    const std::vector<std::string>& unfit) {
  json rows = json::array();
  for (const json& scenario : scenarios)
    for (const json& group : scenario.value("groups", json::array()))
      for (const std::string configuration : group.at("configurations")) {
        const Measured* const ours = side_of(measurements, programs.front(), configuration);
        if (!ours) continue;
        for (const json& metric : metrics_of(scenario, parse_case_id(configuration).case_name)) {
          if (metric.value("exact", false)) continue;  // kernels of a plan, bytes of an arena: no peer has the like
          for (std::size_t i = 1; i < programs.size(); ++i)
            if (const Measured* const theirs = side_of(measurements, programs[i], configuration);
                theirs && was_to_measure(*theirs, metric.at("name")))
              rows.push_back(row(*ours, *theirs, metric, unfit));
        }
      }
  return rows;
}

}  // namespace assay::harness
