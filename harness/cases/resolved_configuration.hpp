#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/cases/case_id.hpp"
#include "harness/cases/scenario.hpp"

namespace assay::harness {

/// A configuration with its defaults filled in, and the controls and environment that its values stand for.
struct ResolvedConfiguration {
  std::map<std::string, std::string> values;       // by parameter, without the reserved keys `off` and `on`
  std::set<std::string> own_off;                   // controls of the key `off`; "all" is each of them
  std::optional<std::set<std::string>> own_on;     // controls of the key `on`: all others are off
  std::set<std::string> stood_off;                 // controls that values stand for
  std::map<std::string, std::string> environment;  // that values stand for
  std::set<std::string> standing;                  // parameters whose value stands for something

  /// Whether the keys `off` and `on` of the configuration switch a control off.
  bool own_switches_off(const std::string& control) const {
    return own_off.contains(control) || own_off.contains("all") || (own_on && !own_on->contains(control));
  }
};

ResolvedConfiguration resolve_configuration(const CaseId& id, const std::vector<ParameterInfo>& parameters);

/// Whether a key of an id names controls instead of a parameter: `off` or `on`.
bool is_control_key(const std::string& key);

/// The controls in a value of a reserved key, which joins them by '+'. Two '+' in a row give an empty name.
std::vector<std::string> split_controls(const std::string& joined);

}  // namespace assay::harness
