#include "harness/cases/named.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "harness/cases/case_id.hpp"
#include "harness/cases/meaning.hpp"
#include "harness/cases/nearest.hpp"

namespace assay::harness {

const CaseOffer& case_named(const Catalogue& catalogue, const std::string& name) {
  if (const CaseOffer* const found = catalogue.find(name)) return *found;
  std::vector<std::string> all;
  for (const auto& scenario : catalogue.scenarios)
    for (const auto& one : scenario.cases) all.push_back(one.name);
  throw UsageError(unknown_name("case", name, all));
}

void check_parameter(const CaseOffer& one, const std::string& key, const std::string& value) {
  const auto parameter =
      std::find_if(one.parameters.begin(), one.parameters.end(), [&](const auto& p) { return p.name == key; });
  if (parameter == one.parameters.end())
    throw UsageError(unknown_name("parameter of " + one.name, key, names_of(one.parameters)));
  if (std::find(parameter->values.begin(), parameter->values.end(), value) == parameter->values.end())
    throw UsageError(unknown_name("value of " + key, value, parameter->values));
}

void check_control(const Catalogue& catalogue, const std::string& name) {
  const auto controls = names_of(catalogue.controls);
  if (std::find(controls.begin(), controls.end(), name) == controls.end())
    throw UsageError(unknown_name("control", name, controls));
}

std::string configuration_named(const Catalogue& catalogue, const std::string& id) {
  CaseId parsed;
  try {
    parsed = parse_case_id(id);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  const CaseOffer& one = case_named(catalogue, parsed.case_name);
  for (const auto& [key, value] : parsed.values) {
    if (!names_controls(key)) {
      check_parameter(one, key, value);
    } else if (key != "off" || value != "all") {
      for (const auto& name : controls_joined(value)) check_control(catalogue, name);
    }
  }
  return canonical(catalogue, id);
}

}  // namespace assay::harness
