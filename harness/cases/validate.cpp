#include <algorithm>
#include <cmath>
#include <set>

#include "harness/cases/case_id.hpp"
#include "harness/cases/catalogue.hpp"
#include "harness/cases/resolved_configuration.hpp"

namespace assay::harness {
namespace {

[[noreturn]] void fail(const std::string& what) { throw CatalogueError(what); }

void check_controls(const Catalogue& catalogue, const std::string& configuration, const std::string& key,
                    const std::string& names) {
  if (key == "off" && names == "all") return;
  for (const auto& name : split_controls(names))
    if (std::none_of(catalogue.controls.begin(), catalogue.controls.end(),
                     [&](const auto& c) { return c.name == name; }))
      fail("configuration '" + configuration + "' switches " + key + " '" + name +
           "', which is not a control of this program");
}

/// A set that refuses a second entry of the same name.
class Unique {
 public:
  explicit Unique(std::string what) : what_(std::move(what)) {}
  void add(const std::string& name) {
    if (name.empty()) fail(what_ + " has an empty name");
    if (!seen_.insert(name).second) fail(what_ + " '" + name + "' is listed twice");
  }

 private:
  std::string what_;
  std::set<std::string> seen_;
};

const CaseInfo& case_of(const Catalogue& catalogue, const std::string& configuration) {
  return *catalogue.find(parse_case_id(configuration).case_name);
}

void validate_case(const CaseInfo& one, const ScenarioInfo& scenario) {
  if (!one.name.starts_with(scenario.name + "."))
    fail("case '" + one.name + "' stands in scenario '" + scenario.name + "'; expected a name that begins with '" +
         scenario.name + ".'");
  Unique parameters("case '" + one.name + "': parameter"), metrics("case '" + one.name + "': metric");
  for (const auto& parameter : one.parameters) {
    parameters.add(parameter.name);
    if (is_control_key(parameter.name))
      fail("case '" + one.name + "': the parameter name '" + parameter.name + "' is reserved");
    if (std::find(parameter.values.begin(), parameter.values.end(), parameter.default_value) == parameter.values.end())
      fail("case '" + one.name + "': default '" + parameter.default_value + "' of parameter '" + parameter.name +
           "' is not one of its values");
  }
  for (const auto& metric : one.metrics) {
    metrics.add(metric.name);
    if (metric.better != "lower" && metric.better != "higher" && !metric.better.empty())
      fail("case '" + one.name + "': metric '" + metric.name + "' says better '" + metric.better +
           "', expected lower, higher or nothing");
  }
  if (one.limit_s && !(*one.limit_s > 0)) fail("case '" + one.name + "': limit_s is not above 0");
}

void validate_groups(const Catalogue& catalogue, const ScenarioInfo& scenario) {
  Unique names("group"), configurations("scenario '" + scenario.name + "': in its groups, configuration");
  for (const auto& group : scenario.groups) {
    names.add(group.name);
    if (group.configurations.empty()) fail("group '" + group.name + "' has no configurations");
    const CaseInfo& first = case_of(catalogue, group.configurations.front());
    for (const auto& configuration : group.configurations) {
      configurations.add(configuration);
      const CaseInfo& one = case_of(catalogue, configuration);
      if (one.kind == CaseKind::service)
        fail("group '" + group.name + "' lists '" + configuration + "', a service: services are needed, not compared");
      if (one.kind != first.kind)
        fail("group '" + group.name + "' mixes kinds: '" + group.configurations.front() + "' is " +
             to_string(first.kind) + ", '" + configuration + "' is " + to_string(one.kind));
    }
  }
}

void validate_comparison(const Catalogue& catalogue, const ScenarioInfo& scenario, const Comparison& comparison) {
  const std::string where = "comparison '" + comparison.id + "'";
  if (comparison.form != "ratio" && comparison.form != "difference")
    fail(where + " has the form '" + comparison.form + "', expected ratio or difference");
  if (!(comparison.margin >= 0) || !std::isfinite(comparison.margin)) fail(where + ": the margin is not 0 or more");
  if (comparison.baseline == comparison.candidate) fail(where + " compares '" + comparison.baseline + "' with itself");
  for (const auto& side : {comparison.baseline, comparison.candidate}) {
    const auto& metrics = case_of(catalogue, side).metrics;
    if (std::none_of(metrics.begin(), metrics.end(), [&](const auto& m) { return m.name == comparison.metric; }))
      fail(where + " is about the metric '" + comparison.metric + "', which '" + side + "' does not report");
  }
  const bool shared = std::any_of(scenario.groups.begin(), scenario.groups.end(), [&](const Group& group) {
    const auto has = [&](const std::string& side) {
      return std::find(group.configurations.begin(), group.configurations.end(), side) != group.configurations.end();
    };
    return has(comparison.baseline) && has(comparison.candidate);
  });
  if (!shared)
    fail(where + ": '" + comparison.baseline + "' and '" + comparison.candidate +
         "' are in no group together; expected one group that lists both, so that they share rounds");
}

void validate_ablations(const Catalogue& catalogue, const ScenarioInfo& scenario) {
  Unique ablations("scenario '" + scenario.name + "': ablated metric");
  for (const auto& ablated : scenario.ablations) {
    const std::string where = "ablation of '" + ablated.metric + "' in '" + ablated.configuration + "'";
    ablations.add(ablated.configuration + " " + ablated.metric);
    const CaseInfo& one = case_of(catalogue, ablated.configuration);
    if (one.kind != CaseKind::timed) fail(where + ": the case is " + to_string(one.kind) + "; expected a timed one");
    if (std::none_of(one.metrics.begin(), one.metrics.end(), [&](const auto& m) { return m.name == ablated.metric; }))
      fail(where + ": the case does not report that metric");
  }
}

void validate_needs_of_controls(const Catalogue& catalogue) {
  for (const auto& control : catalogue.controls)
    for (const auto& needed : control.needs)
      if (needed == control.name || std::none_of(catalogue.controls.begin(), catalogue.controls.end(),
                                                 [&](const auto& c) { return c.name == needed; }))
        fail("control '" + control.name + "' needs '" + needed + "', which is not another control of this program");
}

void validate_gates(const Catalogue& catalogue, const ScenarioInfo& scenario) {
  Unique gates("scenario '" + scenario.name + "': gated metric");
  for (const auto& gated : scenario.gates) {
    const std::string where = "gate of '" + gated.metric + "' in '" + gated.configuration + "'";
    gates.add(gated.configuration + " " + gated.metric);
    const CaseInfo& one = case_of(catalogue, gated.configuration);
    if (std::none_of(one.metrics.begin(), one.metrics.end(), [&](const auto& m) { return m.name == gated.metric; }))
      fail(where + ": the case does not report that metric");
    if (gated.effect && !(*gated.effect > 0 && *gated.effect < 1)) fail(where + ": the effect is not between 0 and 1");
    if (gated.effect && one.kind != CaseKind::timed)
      fail(where + " has an effect, and the case is " + to_string(one.kind) +
           "; only timed cases are repeated in rounds");
  }
}

}  // namespace

std::string canonical_id(const Catalogue& catalogue, const std::string& configuration) {
  CaseId id;
  try {
    id = parse_case_id(configuration);
  } catch (const std::invalid_argument& error) {
    fail(error.what());
  }
  const CaseInfo* const one = catalogue.find(id.case_name);
  if (!one)
    fail("configuration '" + configuration + "' names the case '" + id.case_name +
         "', which the program does not have");
  for (auto value = id.values.begin(); value != id.values.end();) {
    if (is_control_key(value->first)) {
      check_controls(catalogue, configuration, value->first, value->second);
      ++value;
      continue;
    }
    const auto parameter = std::find_if(one->parameters.begin(), one->parameters.end(),
                                        [&](const auto& p) { return p.name == value->first; });
    if (parameter == one->parameters.end())
      fail("configuration '" + configuration + "' sets '" + value->first + "', which is not a parameter of " +
           one->name);
    if (std::find(parameter->values.begin(), parameter->values.end(), value->second) == parameter->values.end())
      fail("configuration '" + configuration + "' sets " + value->first + " to '" + value->second +
           "', which is not one of its values");
    value = value->second == parameter->default_value ? id.values.erase(value) : std::next(value);
  }
  return format_case_id(id);
}

void make_canonical(Catalogue& catalogue) {
  for (auto& scenario : catalogue.scenarios) {
    for (auto& group : scenario.groups)
      for (auto& configuration : group.configurations) configuration = canonical_id(catalogue, configuration);
    for (auto& comparison : scenario.comparisons)
      for (auto* side : {&comparison.baseline, &comparison.candidate}) *side = canonical_id(catalogue, *side);
    for (auto& ablated : scenario.ablations) ablated.configuration = canonical_id(catalogue, ablated.configuration);
    for (auto& gated : scenario.gates) gated.configuration = canonical_id(catalogue, gated.configuration);
  }
}

void validate(const Catalogue& catalogue) {
  Unique controls("control"), profiles("profile"), scenarios("scenario"), comparisons("comparison");
  for (const auto& control : catalogue.controls) controls.add(control.name);
  validate_needs_of_controls(catalogue);
  for (const auto& profile : catalogue.profiles) {
    profiles.add(profile.name);
    if (profile.rounds < 1 || profile.repetitions < 1 || profile.seeds < 1)
      fail("profile '" + profile.name + "': rounds, repetitions and seeds must be 1 or more");
  }
  for (const auto& scenario : catalogue.scenarios) {
    scenarios.add(scenario.name);
    Unique cases("case");
    for (const auto& one : scenario.cases) {
      cases.add(one.name);
      validate_case(one, scenario);
      for (const auto& need : one.needs)  // what this program does not offer at all may come from another program
        if (catalogue.find(need.from.substr(0, need.from.find('{')))) canonical_id(catalogue, need.from);
    }
  }
  for (const auto& scenario : catalogue.scenarios) {
    validate_groups(catalogue, scenario);
    validate_ablations(catalogue, scenario);
    validate_gates(catalogue, scenario);
    for (const auto& comparison : scenario.comparisons) {
      comparisons.add(comparison.id);
      validate_comparison(catalogue, scenario, comparison);
    }
  }
}

}  // namespace assay::harness
