#include "harness/results/values.hpp"

#include <algorithm>
#include <tuple>

#include "harness/stats/median.hpp"
#include "harness/stats/sign_interval.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

std::string why_no_interval(const MetricSamples& metric) {
  if (!metric.problem.empty()) return metric.problem;
  if (metric.per == "run") return metric.exact() ? "exact: measured once" : "measured once";
  return std::to_string(metric.by_round.size()) + " of at least " + std::to_string(min_sample_count()) +
         " samples that an interval needs";
}

json row(const Measured& measured, const std::string& name, const MetricSamples& metric) {
  std::vector<double> samples;
  for (const auto& [round, sample] : metric.by_round) samples.push_back(sample);
  json result{{"configuration", measured.configuration},
              {"program", measured.program},
              {"metric", name},
              {"unit", metric.unit},
              {"better", metric.better},
              {"per", metric.per},
              {"exact", metric.exact()},
              {"samples", samples},
              {"median", samples.empty() ? json(nullptr) : json(median(samples))},
              {"low", nullptr},
              {"high", nullptr},
              {"confidence", nullptr},
              {"reason", ""}};
  const auto interval = metric.problem.empty() ? sign_interval(samples) : std::nullopt;
  if (!interval) {
    result["reason"] = why_no_interval(metric);
    return result;
  }
  result["low"] = interval->low;
  result["high"] = interval->high;
  result["confidence"] = interval->confidence;
  return result;
}

}  // namespace

json value_rows(const Measurements& measurements, const std::vector<std::string>& programs,
                const std::vector<std::string>& order) {
  json rows = json::array();
  for (const std::string& program : programs) {
    const auto found = measurements.find(program);
    if (found == measurements.end()) continue;
    std::vector<const Measured*> sorted;
    for (const auto& [configuration, measured] : found->second) sorted.push_back(&measured);
    const auto rank = [&](const Measured* m) {
      return std::tuple(std::find(order.begin(), order.end(), m->configuration) - order.begin(), m->configuration);
    };
    std::sort(sorted.begin(), sorted.end(), [&](auto* a, auto* b) { return rank(a) < rank(b); });
    for (const Measured* measured : sorted)
      for (const auto& [name, metric] : measured->metrics) rows.push_back(row(*measured, name, metric));
  }
  return rows;
}

}  // namespace assay::harness
