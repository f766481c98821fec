#include "harness/gate/selection.hpp"

#include <algorithm>
#include <set>

#include "harness/cases/case_id.hpp"
#include "harness/cases/nearest.hpp"
#include "harness/run/run_error.hpp"

namespace assay::harness {
namespace {

std::string case_of_id(const std::string& configuration) { return parse_case_id(configuration).case_name; }

const MetricInfo* metric_of(const Catalogue& catalogue, const std::string& configuration, const std::string& metric) {
  const CaseOffer* const one = catalogue.find(case_of_id(configuration));
  if (!one) return nullptr;
  const auto found =
      std::find_if(one->metrics.begin(), one->metrics.end(), [&](const auto& m) { return m.name == metric; });
  return found == one->metrics.end() ? nullptr : &*found;
}

/// Whether the program can run it at all: the case, its parameters and values, and the metric.
bool offers(const Catalogue& catalogue, const std::string& configuration, const std::string& metric) {
  try {
    return metric_of(catalogue, canonical(catalogue, configuration), metric) != nullptr;
  } catch (const CatalogueError&) {
    return false;
  }
}

std::vector<GateBenchmark> declared(const Catalogue& catalogue) {
  std::vector<GateBenchmark> result;
  for (const auto& scenario : catalogue.scenarios)
    for (const auto& gated : scenario.gates) {
      const MetricInfo& metric = *metric_of(catalogue, gated.configuration, gated.metric);
      GateBenchmark benchmark{gated.configuration,
                              gated.metric,
                              metric.unit,
                              metric.better,
                              catalogue.find(case_of_id(gated.configuration))->kind,
                              std::nullopt,
                              "declared"};
      if (gated.effect) benchmark.preset = preset_of(*gated.effect);
      result.push_back(std::move(benchmark));
    }
  return result;
}

bool named(const GateBenchmark& benchmark, const std::string& name) {
  const std::string case_name = case_of_id(benchmark.configuration);
  return name == benchmark.configuration || name == case_name || name == case_name.substr(0, case_name.find('.'));
}

void check_names(const std::vector<std::string>& asked, const std::vector<GateBenchmark>& all) {
  std::set<std::string> known;
  for (const auto& benchmark : all) {
    const std::string case_name = case_of_id(benchmark.configuration);
    known.insert({benchmark.configuration, case_name, case_name.substr(0, case_name.find('.'))});
  }
  const std::vector<std::string> names(known.begin(), known.end());
  for (const auto& name : asked)
    if (!known.contains(name)) throw RunError(2, unknown_name("gated scenario or case", name, names));
}

}  // namespace

int GateSelection::timed() const {
  return static_cast<int>(std::count_if(both.begin(), both.end(), [](const auto& one) { return !one.exact(); }));
}

GateSelection select_benchmarks(const Catalogue& candidate, const Catalogue& baseline,
                                const std::vector<std::string>& asked) {
  const auto ours = declared(candidate), theirs = declared(baseline);
  auto all = ours;
  all.insert(all.end(), theirs.begin(), theirs.end());
  check_names(asked, all);
  const auto wanted = [&](const GateBenchmark& benchmark) {
    return asked.empty() ||
           std::any_of(asked.begin(), asked.end(), [&](const auto& name) { return named(benchmark, name); });
  };
  GateSelection result;
  for (const auto& benchmark : ours)
    if (wanted(benchmark))
      (offers(baseline, benchmark.configuration, benchmark.metric) ? result.both : result.only_candidate)
          .push_back(benchmark);
  for (const auto& benchmark : theirs)
    if (wanted(benchmark) && !offers(candidate, benchmark.configuration, benchmark.metric))
      result.only_baseline.push_back(benchmark);
  return result;
}

}  // namespace assay::harness
