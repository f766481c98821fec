#include "harness/cases/scenario.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace assay::harness {
namespace {

/// The compiler's prefix map makes the project's root ".".
Declaration declaration(const std::source_location& here) {
  std::string file = here.file_name();
  if (file.starts_with("./")) file.erase(0, 2);
  return {std::move(file), static_cast<int>(here.line())};
}

}  // namespace

Case::Case(std::string case_name, CaseKind case_kind, Body case_body)
    : name(std::move(case_name)), kind(case_kind), body(std::move(case_body)) {}

Case& Case::parameter(const std::string& key, std::vector<std::string> values) {
  if (values.empty()) throw std::invalid_argument("case " + name + ": parameter " + key + " has no values");
  std::string first = values.front();
  parameters.push_back({key, std::move(values), std::move(first), {}});
  return *this;
}

Case& Case::stands_for(const std::string& key, const std::string& value, StandsFor what) {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == key; });
  if (found == parameters.end() || std::find(found->values.begin(), found->values.end(), value) == found->values.end())
    throw std::invalid_argument("case " + name + ": stands_for names " + key + "=" + value +
                                ", which is not a parameter and value declared before");
  found->stands_for[value] = std::move(what);
  return *this;
}

Case& Case::metric(const std::string& metric_name, const std::string& unit, const std::string& better) {
  metrics.push_back({metric_name, unit, better, false});
  return *this;
}

Case& Case::exact_metric(const std::string& metric_name, const std::string& unit, const std::string& better) {
  metrics.push_back({metric_name, unit, better, true});
  return *this;
}

Case& Case::needs(const std::string& artifact, const std::string& from, bool same_seed) {
  needed.push_back({artifact, from, same_seed});
  return *this;
}

Case& Case::environment(const std::string& variable, const std::string& value) {
  env[variable] = value;
  return *this;
}

Case& Case::launch(std::vector<std::string> prefix) {
  launch_prefix = std::move(prefix);
  return *this;
}

Scenario::Scenario(std::string scenario_name, std::string scenario_question)
    : name(std::move(scenario_name)), question(std::move(scenario_question)) {}

Case& Scenario::timed(const std::string& case_name, Case::Body body) {
  return *cases.emplace_back(std::make_unique<Case>(case_name, CaseKind::timed, std::move(body)));
}

Case& Scenario::trained(const std::string& case_name, Case::Body body) {
  return *cases.emplace_back(std::make_unique<Case>(case_name, CaseKind::trained, std::move(body)));
}

Case& Scenario::exact(const std::string& case_name, Case::Body body) {
  return *cases.emplace_back(std::make_unique<Case>(case_name, CaseKind::exact, std::move(body)));
}

Case& Scenario::service(const std::string& case_name, Case::Body body) {
  return *cases.emplace_back(std::make_unique<Case>(case_name, CaseKind::service, std::move(body)));
}

Scenario& Scenario::group(const std::string& group_name, std::vector<std::string> configurations) {
  groups.push_back({group_name, std::move(configurations)});
  return *this;
}

Scenario& Scenario::compare(Comparison comparison) {
  comparisons.push_back(std::move(comparison));
  return *this;
}

Scenario& Scenario::ablate(const std::string& configuration, const std::string& metric, const std::string& controls) {
  ablations.push_back({configuration, metric, controls});
  return *this;
}

Scenario& Scenario::gate(const std::string& configuration, const std::string& metric, double effect,
                         std::source_location here) {
  gates.push_back({configuration, metric, effect, declaration(here)});
  return *this;
}

Scenario& Scenario::gate_exactly(const std::string& configuration, const std::string& metric,
                                 std::source_location here) {
  gates.push_back({configuration, metric, std::nullopt, declaration(here)});
  return *this;
}

Scenario& Scenario::budget(const std::string& profile, double seconds) {
  budgets[profile] = seconds;
  return *this;
}

Scenario& Scenario::length(const std::string& length_name, std::int64_t value) {
  return length("", length_name, value);
}

Scenario& Scenario::length(const std::string& profile, const std::string& length_name, std::int64_t value) {
  lengths[profile][length_name] = value;
  return *this;
}

std::map<std::string, std::int64_t> Scenario::lengths_in(const std::string& profile) const {
  std::map<std::string, std::int64_t> found;
  for (const std::string& part : {std::string(), profile}) {
    const auto part_lengths = lengths.find(part);
    if (part_lengths == lengths.end()) continue;
    for (const auto& [length_name, value] : part_lengths->second) found[length_name] = value;
  }
  return found;
}

}  // namespace assay::harness
