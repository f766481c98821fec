#include "harness/ablation/design.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "harness/cases/case_id.hpp"
#include "harness/cases/lookup.hpp"
#include "harness/cases/resolved_configuration.hpp"
#include "harness/cases/select_groups.hpp"

namespace assay::harness {
namespace {

/// Configurations with the metrics that are ablated, in their order.
struct AblatedCase {
  std::string configuration;
  std::vector<std::string> metrics;
  std::string controls;  // the prefix of their names
};
using Ablated = std::vector<AblatedCase>;

auto find(const Ablated& ablated, const std::string& configuration) {
  return std::find_if(ablated.begin(), ablated.end(),
                      [&](const auto& one) { return one.configuration == configuration; });
}

void add(Ablated& ablated, const AblatedMetric& one) {
  const auto found = find(ablated, one.configuration);
  const auto place = static_cast<std::size_t>(found - ablated.begin());
  if (found == ablated.end()) ablated.push_back({one.configuration, {}, one.controls});
  ablated[place].metrics.push_back(one.metric);
}

const CaseInfo& case_of(const Catalogue& catalogue, const std::string& configuration) {
  return *catalogue.find(parse_case_id(configuration).case_name);
}

bool switches(const Catalogue& catalogue, const std::string& configuration) {
  const ResolvedConfiguration meaning =
      resolve_configuration(parse_case_id(configuration), case_of(catalogue, configuration).parameters);
  return meaning.own_on || !meaning.own_off.empty() || !meaning.stood_off.empty();
}

void add_times(Ablated& ablated, const Catalogue& catalogue, const std::string& configuration) {
  for (const auto& metric : case_of(catalogue, configuration).metrics)
    if (metric.unit == "ns") add(ablated, {configuration, metric.name});
}

/// The scenario's timed configurations that switch no control off.
std::vector<std::string> configurations_of(const Catalogue& catalogue, const ScenarioInfo& scenario) {
  std::vector<std::string> found;
  std::set<std::string> grouped;
  for (const auto& group : scenario.groups)
    for (const auto& configuration : group.configurations) {
      grouped.insert(case_of(catalogue, configuration).name);
      found.push_back(configuration);
    }
  for (const auto& one : scenario.cases)
    if (!grouped.contains(one.name)) found.push_back(one.name);
  std::erase_if(found, [&](const std::string& configuration) {
    return case_of(catalogue, configuration).kind != CaseKind::timed || switches(catalogue, configuration);
  });
  return found;
}

Ablated chosen(const Catalogue& catalogue, const ScenarioInfo& scenario, const std::vector<std::string>& cases) {
  Ablated declared, result;
  for (const auto& one : scenario.ablations) add(declared, one);
  if (declared.empty())
    for (const auto& configuration : configurations_of(catalogue, scenario))
      add_times(declared, catalogue, configuration);
  if (cases.empty()) return declared;
  for (const auto& text : cases) {
    const std::string name =
        find_configuration(catalogue, text.starts_with(scenario.name + ".") ? text : scenario.name + "." + text);
    if (case_of(catalogue, name).kind != CaseKind::timed)
      throw UsageError(name + " is " + to_string(case_of(catalogue, name).kind) + "; only timed cases can be ablated");
    if (switches(catalogue, name))
      throw UsageError(name + " switches controls off itself; name a configuration with everything on");
    if (find(result, name) != result.end()) continue;
    const auto known = find(declared, name);
    if (known != declared.end())
      result.push_back(*known);
    else
      add_times(result, catalogue, name);
  }
  return result;
}

/// Returns the controls that take part, and sets the reason of each of the others.
std::vector<ControlInfo> taking_part(Catalogue& catalogue, const std::vector<std::string>& off) {
  const auto is_off = [&](const std::string& name) {
    return std::any_of(off.begin(), off.end(), [&](const auto& one) { return one == name || one == "all"; });
  };
  std::set<std::string> absent;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& control : catalogue.controls) {
      if (absent.contains(control.name)) continue;
      const auto lacking = std::find_if(control.needs.begin(), control.needs.end(),
                                        [&](const std::string& needed) { return absent.contains(needed); });
      if (is_off(control.name))
        control.reason = "it is off everywhere in this run";
      else if (lacking != control.needs.end())
        control.reason = "it needs " + *lacking + ", which takes no part";
      else if (control.acts)
        continue;
      control.acts = false;
      changed = absent.insert(control.name).second;
    }
  }
  std::vector<ControlInfo> result;
  for (const auto& control : catalogue.controls)
    if (!absent.contains(control.name)) result.push_back(control);
  return result;
}

/// The groups and comparisons of one configuration.
class Design {
 public:
  Design(std::string scenario, std::string configuration, std::vector<std::string> metrics,
         const std::vector<ControlInfo>& controls)
      : scenario_(std::move(scenario)),
        configuration_(std::move(configuration)),
        metrics_(std::move(metrics)),
        controls_(controls),
        group_{configuration_, {}} {
    join(configuration_);
    const std::string none = join(with("off", "all"));
    compare("all_off", configuration_, none);
    for (const auto& control : controls_)
      compare("without_" + control.name, configuration_, join(with("off", control.name)));
    for (const auto& control : controls_) {
      std::set<std::string> on = needed_by(control.name);
      const std::string before = on.empty() ? none : join(with("on", joined(on)));
      on.insert(control.name);
      compare("only_" + control.name, before, join(with("on", joined(on))));
    }
  }

  const Group& group() const { return group_; }
  const std::vector<Comparison>& comparisons() const { return comparisons_; }

 private:
  std::string with(const std::string& key, const std::string& value) const {
    CaseId id = parse_case_id(configuration_);
    id.values[key] = value;
    return format_case_id(id);
  }

  std::set<std::string> needed_by(const std::string& name) const {
    std::set<std::string> result;
    for (const auto& control : controls_)
      if (control.name == name)
        for (const auto& needed : control.needs) {
          result.insert(needed);
          result.merge(needed_by(needed));
        }
    return result;
  }

  /// In the order of the catalogue, so that equal sets are equal ids.
  std::string joined(const std::set<std::string>& names) const {
    std::string text;
    for (const auto& control : controls_)
      if (names.contains(control.name)) text += (text.empty() ? "" : "+") + control.name;
    return text;
  }

  std::string join(const std::string& member) {
    auto& all = group_.configurations;
    if (std::find(all.begin(), all.end(), member) == all.end()) all.push_back(member);
    return member;
  }

  void compare(const std::string& what, const std::string& baseline, const std::string& candidate) {
    for (const auto& metric : metrics_) {
      std::string id =
          configuration_.substr(scenario_.size() + 1) + (metrics_.size() > 1 ? "_" + metric : "") + "_" + what;
      for (char& c : id) c = std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : '_';
      comparisons_.push_back(
          {.id = scenario_ + "." + id, .metric = metric, .baseline = baseline, .candidate = candidate});
    }
  }

  std::string scenario_, configuration_;
  std::vector<std::string> metrics_;
  const std::vector<ControlInfo>& controls_;
  Group group_;
  std::vector<Comparison> comparisons_;
};

}  // namespace

Catalogue ablation_of(const Catalogue& catalogue, const std::string& scenario, const std::vector<std::string>& cases,
                      const std::vector<std::string>& off) {
  const Ablated ablated = chosen(catalogue, *catalogue.scenario(scenario), cases);
  if (ablated.empty())
    throw UsageError("nothing to ablate: " + (cases.empty() ? "scenario '" + scenario + "'" : "what was named") +
                     " has no time of a timed case");
  Catalogue result = catalogue;
  for (auto& control : result.controls) {
    const bool concerned = std::any_of(ablated.begin(), ablated.end(),
                                       [&](const auto& one) { return control.name.starts_with(one.controls); });
    if (!concerned && control.acts) control.reason = "it has no part in what is ablated";
    control.acts = control.acts && concerned;
  }
  const auto controls = taking_part(result, off);
  if (controls.empty())
    throw UsageError("nothing to ablate: no control of " + catalogue.name() + " can act here (./assay controls)");
  std::vector<Group> groups;
  std::vector<Comparison> comparisons;
  for (const auto& [configuration, metrics, prefix] : ablated) {
    std::vector<ControlInfo> concerned;
    for (const auto& control : controls)
      if (control.name.starts_with(prefix)) concerned.push_back(control);
    const Design design(scenario, configuration, metrics, concerned);
    groups.push_back(design.group());
    comparisons.insert(comparisons.end(), design.comparisons().begin(), design.comparisons().end());
  }
  select_groups(result, scenario, std::move(groups));
  for (auto& one : result.scenarios)
    if (one.name == scenario) one.comparisons = std::move(comparisons);
  return result;
}

}  // namespace assay::harness
