#include <algorithm>
#include <map>
#include <set>

#include "harness/cases/case_id.hpp"
#include "harness/results/comparisons.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

/// A configuration with its defaults filled in, and what its values stand for.
struct Side {
  std::map<std::string, std::string> values;
  std::map<std::string, json> stand_ins;  // by parameter; null where the value stands for itself
  std::set<std::string> off;
  std::map<std::string, std::string> environment;
};

Side resolve(const CaseId& id, const json& one, const std::vector<std::string>& off) {
  Side side{id.values, {}, {off.begin(), off.end()}, {}};
  if (const auto own = id.values.find("off"); own != id.values.end()) {  // reserved: controls joined by '+'
    std::size_t begin = 0;
    while (begin <= own->second.size()) {
      const auto end = std::min(own->second.find('+', begin), own->second.size());
      side.off.insert(own->second.substr(begin, end - begin));
      begin = end + 1;
    }
    side.stand_ins["off"] = true;
    side.values.try_emplace("off", "");
  }
  for (const json& parameter : one.at("parameters")) {
    const std::string name = parameter.at("name");
    const std::string value = side.values.try_emplace(name, parameter.at("default").get<std::string>()).first->second;
    const json stands_for = parameter.value("stands_for", json::object());
    const auto what = stands_for.find(value);
    if (what == stands_for.end()) continue;
    side.stand_ins[name] = *what;
    const json controls = what->value("off", json::array()), environment = what->value("environment", json::object());
    for (const json& control : controls) side.off.insert(control.get<std::string>());
    for (const auto& [key, set] : environment.items()) side.environment[key] = set;
  }
  return side;
}

}  // namespace

bool sides_equal(const std::string& baseline, const std::string& candidate, const json& scenario,
                 const std::vector<std::string>& off) {
  const CaseId a = parse_case_id(baseline), b = parse_case_id(candidate);
  if (a.case_name != b.case_name) return false;
  for (const json& one : scenario.at("cases")) {
    if (one.at("name") != a.case_name) continue;
    Side left = resolve(a, one, off), right = resolve(b, one, off);
    std::set<std::string> keys;
    for (const auto& [key, value] : left.values) keys.insert(key);
    for (const auto& [key, value] : right.values) keys.insert(key);
    for (const std::string& key : keys)
      if (left.values[key] != right.values[key] && !left.stand_ins.contains(key) && !right.stand_ins.contains(key))
        return false;
    const bool all = std::find(off.begin(), off.end(), "all") != off.end();
    return (all || left.off == right.off) && left.environment == right.environment;
  }
  return false;
}

}  // namespace assay::harness
