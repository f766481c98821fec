#include "harness/cases/resolved_configuration.hpp"

#include <algorithm>

namespace assay::harness {

std::vector<std::string> split_controls(const std::string& joined) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= joined.size();) {
    const auto end = std::min(joined.find('+', begin), joined.size());
    names.push_back(joined.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

bool is_control_key(const std::string& key) { return key == "off" || key == "on"; }

ResolvedConfiguration resolve_configuration(const CaseId& id, const std::vector<ParameterInfo>& parameters) {
  ResolvedConfiguration result{id.values, {}, {}, {}, {}, {}};
  if (const auto own = result.values.extract("off"); !own.empty())
    for (auto& name : split_controls(own.mapped())) result.own_off.insert(std::move(name));
  if (const auto own = result.values.extract("on"); !own.empty()) {
    result.own_on.emplace();
    for (auto& name : split_controls(own.mapped())) result.own_on->insert(std::move(name));
  }
  for (const auto& parameter : parameters) {
    const auto& value = result.values.try_emplace(parameter.name, parameter.default_value).first->second;
    const auto what = parameter.stands_for.find(value);
    if (what == parameter.stands_for.end()) continue;
    result.standing.insert(parameter.name);
    result.stood_off.insert(what->second.off.begin(), what->second.off.end());
    for (const auto& [name, set] : what->second.environment) result.environment[name] = set;
  }
  return result;
}

}  // namespace assay::harness
