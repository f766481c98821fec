#include <algorithm>

#include "harness/cases/catalogue.hpp"
#include "harness/cases/meaning.hpp"
#include "harness/results/comparisons.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

std::set<std::string> all_off(const Meaning& side, const std::vector<std::string>& everywhere) {
  std::set<std::string> names(everywhere.begin(), everywhere.end());
  for (const auto* more : {&side.own_off, &side.stood_off}) names.insert(more->begin(), more->end());
  return names;
}

/// Whether a parameter in which the sides differ stands for itself on both of them.
bool differ_themselves(const Meaning& a, const Meaning& b) {
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
    const Meaning left = meaning_of(a, parameters), right = meaning_of(b, parameters);
    if (differ_themselves(left, right) || left.environment != right.environment) return false;
    return std::find(off.begin(), off.end(), "all") != off.end() || all_off(left, off) == all_off(right, off);
  }
  return false;
}

}  // namespace assay::harness
