#include "harness/gate/selection.hpp"

#include <algorithm>
#include <set>

#include "harness/cases/case_id.hpp"
#include "harness/errors/errors.hpp"
#include "harness/text/format_number.hpp"
#include "harness/text/spelling_suggestion.hpp"

namespace assay::harness {
namespace {

std::string case_of_id(const std::string& configuration) { return parse_case_id(configuration).case_name; }

const MetricInfo* metric_of(const Catalogue& catalogue, const std::string& configuration, const std::string& metric) {
  const CaseInfo* const one = catalogue.find(case_of_id(configuration));
  if (!one) return nullptr;
  const auto found =
      std::find_if(one->metrics.begin(), one->metrics.end(), [&](const auto& m) { return m.name == metric; });
  return found == one->metrics.end() ? nullptr : &*found;
}

/// Whether the program offers the case, the parameter values and the metric.
bool offers(const Catalogue& catalogue, const std::string& configuration, const std::string& metric) {
  try {
    return metric_of(catalogue, canonical_id(catalogue, configuration), metric) != nullptr;
  } catch (const CatalogueError&) {
    return false;
  }
}

bool same_benchmark(const GateBenchmark& a, const GateBenchmark& b) {
  return a.configuration == b.configuration && a.metric == b.metric;
}

const GateBenchmark* find(const std::vector<GateBenchmark>& all, const GateBenchmark& like) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return same_benchmark(one, like); });
  return found == all.end() ? nullptr : &*found;
}

std::string effect_text(const GateBenchmark& benchmark) {
  return benchmark.exact() ? "an exact number" : "an effect of " + format_percent(benchmark.preset->floor);
}

/// The benchmark as the baseline declares it, or with the candidate's effect if that is smaller.
GateBenchmark as_before(const GateBenchmark& now, const GateBenchmark& before) {
  GateBenchmark result = now;
  const auto note = [&](const std::string& text) { result.note += (result.note.empty() ? "" : "; ") + text; };
  if (now.exact() != before.exact() || (!now.exact() && now.preset->floor > before.preset->floor)) {
    note("the baseline declares " + effect_text(before) + ", the candidate " + effect_text(now) +
         ": the baseline's counts");
    result.preset = before.preset;
    result.kind = before.kind;
  }
  if (now.better != before.better) {
    const auto text = [](const std::string& better) { return better.empty() ? "neither" : better; };
    note("in the baseline " + text(before.better) + " is better, in the candidate " + text(now.better) +
         ": the baseline's counts");
    result.better = before.better;
  }
  return result;
}

/// A benchmark that the candidate does not gate any more.
GateBenchmark dropped(const GateBenchmark& before) {
  GateBenchmark result = before;
  result.note = "the candidate does not gate it any more: the baseline's declaration counts";
  result.declared_at.line = 1;  // the candidate's file may have other lines
  return result;
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
                              "declared",
                              "",
                              gated.declared_at};
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
    if (!known.contains(name)) throw CommandError(2, unknown_name("gated scenario or case", name, names));
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
  const auto add = [&](const GateBenchmark& benchmark) {
    const MetricInfo &before = *metric_of(baseline, benchmark.configuration, benchmark.metric),
                     &now = *metric_of(candidate, benchmark.configuration, benchmark.metric);
    if (before.unit == now.unit)
      result.both.push_back(benchmark);
    else
      result.unmeasured.push_back({benchmark, "invalid",
                                   "its unit is '" + before.unit + "' in the baseline and '" + now.unit +
                                       "' in the candidate: numbers of two units are not compared"});
  };
  for (const auto& now : ours) {
    if (!wanted(now)) continue;
    if (const GateBenchmark* const before = find(theirs, now))
      add(as_before(now, *before));
    else if (offers(baseline, now.configuration, now.metric))
      add(now);
    else
      result.unmeasured.push_back({now, "new", "the baseline does not have it"});
  }
  for (const auto& before : theirs) {
    if (!wanted(before) || find(ours, before)) continue;
    if (offers(candidate, before.configuration, before.metric))
      add(dropped(before));
    else
      result.unmeasured.push_back({before, "gone", "the candidate does not have it any more"});
  }
  return result;
}

}  // namespace assay::harness
