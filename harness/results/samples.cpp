#include "harness/results/samples.hpp"

#include <algorithm>
#include <set>

#include "harness/cases/case_id.hpp"
#include "harness/run/failed_check.hpp"
#include "harness/stats/median.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

std::optional<double> number(const json& value) {
  return value.is_number() ? std::optional<double>(value.get<double>()) : std::nullopt;
}

}  // namespace

// Repetitions share a process and with it its memory layout, so that they are not independent: only their median goes
// on.
std::optional<double> sample_of(const json& event) {
  if (event.at("event") == "value") return number(event.at("value"));
  std::vector<double> repetitions;
  for (const json& value : event.at("values")) {
    if (!value.is_number()) return std::nullopt;
    repetitions.push_back(value);
  }
  return repetitions.empty() ? std::nullopt : std::optional<double>(median(repetitions));
}

namespace {

void add_metric(Measured& measured, const json& event, const json& process, const std::string& per) {
  MetricSamples& metric = measured.metrics[event.at("metric")];
  metric.unit = event.at("unit");
  metric.better = event.at("better");
  metric.per = per;
  const std::int64_t round = process.at("round");
  if (const auto sample = sample_of(event)) {
    metric.by_round[round] = *sample;
  } else if (metric.problem.empty()) {
    metric.problem = "no number in round " + std::to_string(round);
    if (const std::string why = event.value("reason", ""); !why.empty()) metric.problem += ": " + why;
  }
}

void add_check(Measured& measured, const json& event) {
  if (event.at("passed").get<bool>()) return;
  const std::string name = event.at("name");
  auto found = std::find_if(measured.failed_checks.begin(), measured.failed_checks.end(),
                            [&](const FailedCheck& check) { return check.name == name; });
  const auto value = number(event.at("measured"));
  if (found == measured.failed_checks.end()) {
    measured.failed_checks.push_back({measured.configuration, name, value, number(event.at("limit")), 1});
    return;
  }
  ++found->processes;
  if (!value || !found->measured)
    found->measured.reset();  // not finite is worse than any number
  else
    found->measured = std::max(*value, *found->measured);
}

void add_failed_checks(Measured& measured, const json& process) {
  for (const json& event : process.at("events"))
    if (event.value("event", "") == "check") add_check(measured, event);
}

void add(Measured& measured, const json& process, const std::string& per) {
  for (const json& event : process.at("events")) {
    const std::string kind = event.value("event", "");
    if (kind == "check") add_check(measured, event);
    if (process.at("status") != "ok") continue;  // a process that broke off measured nothing
    if (kind == "samples" || kind == "value") add_metric(measured, event, process, per);
    if (kind == "predictions") measured.predictions[process.at("seed")] = event;
  }
}

}  // namespace

Measurements collect(const std::vector<json>& processes, const std::map<std::string, std::string>& per_of_group) {
  Measurements all;
  for (const json& process : processes) {
    const bool used = process.at("used").get<bool>();
    if (!used && !failed_check_of(process)) continue;
    Measured& measured = all[process.at("program")][process.at("configuration")];
    measured.program = process.at("program");
    measured.configuration = process.at("configuration");
    if (used) {
      add(measured, process, per_of_group.at(process.at("group")));
    } else {
      add_failed_checks(measured, process);
    }
  }
  for (auto& [program, configurations] : all)
    for (auto& [configuration, measured] : configurations)
      for (auto& [name, metric] : measured.metrics)  // an exact case that trained ones need runs once a seed
        if (metric.per == "run" && metric.by_round.size() > 1) metric.per = "seed";
  return all;
}

void mark_exact(Measurements& measurements, const std::string& program, const json& catalogue) {
  std::set<std::pair<std::string, std::string>> exact;  // case and metric
  for (const json& scenario : catalogue.at("scenarios"))
    for (const json& one : scenario.at("cases"))
      for (const json& metric : one.value("metrics", json::array()))
        if (metric.value("exact", false)) exact.emplace(one.at("name"), metric.at("name"));
  for (auto& [configuration, measured] : measurements[program])
    for (auto& [name, metric] : measured.metrics)
      metric.declared_exact = exact.contains({parse_case_id(configuration).case_name, name});
}

void add_left(Measurements& measurements, const json& left) {
  for (const json& entry : left) {
    Measured& measured = measurements[entry.at("program")][entry.at("configuration")];
    measured.program = entry.at("program");
    measured.configuration = entry.at("configuration");
    (entry.at("status") == "failed" ? measured.failed : measured.skipped) = entry.at("reason");
  }
}

json to_json(const FailedCheck& check) {
  const auto or_null = [](const std::optional<double>& value) { return value ? json(*value) : json(nullptr); };
  return {{"configuration", check.configuration},
          {"name", check.name},
          {"measured", or_null(check.measured)},
          {"limit", or_null(check.limit)},
          {"processes", check.processes}};
}

}  // namespace assay::harness
