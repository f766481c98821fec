#include <algorithm>

#include "harness/cases/catalogue.hpp"
#include "harness/cases/resolved_configuration.hpp"
#include "harness/results/comparisons.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

/// What is off; or, where a side says what alone is on, that less what is off.
struct Switched {
  bool alone_on = false;
  std::set<std::string> names;
  bool operator==(const Switched&) const = default;
};

Switched switched(const ResolvedConfiguration& side, const std::vector<std::string>& everywhere) {
  std::set<std::string> off(everywhere.begin(), everywhere.end());
  for (const auto* more : {&side.own_off, &side.stood_off}) off.insert(more->begin(), more->end());
  if (off.contains("all")) return {true, {}};
  if (!side.own_on) return {false, off};
  std::set<std::string> on = *side.own_on;
  for (const auto& name : off) on.erase(name);
  return {true, on};
}

/// Whether a parameter in which the sides differ stands for itself on both of them.
bool differ_themselves(const ResolvedConfiguration& a, const ResolvedConfiguration& b) {
  return std::any_of(a.values.begin(), a.values.end(), [&](const auto& one) {
    const auto other = b.values.find(one.first);  // both hold every parameter of their case
    return other != b.values.end() && other->second != one.second && !a.standing.contains(one.first) &&
           !b.standing.contains(one.first);
  });
}

}  // namespace

bool sides_equal(const std::string& baseline, const std::string& candidate, const json& scenario,
                 const std::vector<std::string>& off) {
  const CaseId a = parse_case_id(baseline), b = parse_case_id(candidate);
  if (a.case_name != b.case_name) return false;
  for (const json& one : scenario.at("cases")) {
    if (one.at("name") != a.case_name) continue;
    const auto parameters = read_parameters(one.at("parameters"), a.case_name);
    const ResolvedConfiguration left = resolve_configuration(a, parameters),
                                right = resolve_configuration(b, parameters);
    if (differ_themselves(left, right) || left.environment != right.environment) return false;
    return switched(left, off) == switched(right, off);
  }
  return false;
}

}  // namespace assay::harness
