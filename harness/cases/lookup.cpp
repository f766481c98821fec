#include "harness/cases/lookup.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "harness/cases/case_id.hpp"
#include "harness/cases/resolved_configuration.hpp"
#include "harness/text/spelling_suggestion.hpp"

namespace assay::harness {

const CaseInfo& find_case(const Catalogue& catalogue, const std::string& name) {
  if (const CaseInfo* const found = catalogue.find(name)) return *found;
  std::vector<std::string> all;
  for (const auto& scenario : catalogue.scenarios)
    for (const auto& one : scenario.cases) all.push_back(one.name);
  throw UsageError(unknown_name("case", name, all));
}

void require_parameter(const CaseInfo& one, const std::string& key, const std::string& value) {
  const auto parameter =
      std::find_if(one.parameters.begin(), one.parameters.end(), [&](const auto& p) { return p.name == key; });
  if (parameter == one.parameters.end())
    throw UsageError(unknown_name("parameter of " + one.name, key, names_of(one.parameters)));
  if (std::find(parameter->values.begin(), parameter->values.end(), value) == parameter->values.end())
    throw UsageError(unknown_name("value of " + key, value, parameter->values));
}

void require_control(const Catalogue& catalogue, const std::string& name) {
  const auto controls = names_of(catalogue.controls);
  if (std::find(controls.begin(), controls.end(), name) == controls.end())
    throw UsageError(unknown_name("control", name, controls));
}

std::string find_configuration(const Catalogue& catalogue, const std::string& id) {
  CaseId parsed;
  try {
    parsed = parse_case_id(id);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  const CaseInfo& one = find_case(catalogue, parsed.case_name);
  for (const auto& [key, value] : parsed.values) {
    if (!is_control_key(key)) {
      require_parameter(one, key, value);
    } else if (key != "off" || value != "all") {
      for (const auto& name : split_controls(value)) require_control(catalogue, name);
    }
  }
  return canonical_id(catalogue, id);
}

}  // namespace assay::harness
