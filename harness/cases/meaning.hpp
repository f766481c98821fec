#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/cases/case_id.hpp"
#include "harness/cases/scenario.hpp"

namespace assay::harness {

/// A configuration with its defaults filled in, and what its values stand for besides themselves.
struct Meaning {
  std::map<std::string, std::string> values;       // by parameter, without the reserved key `off`
  std::set<std::string> own_off;                   // controls of the key `off`
  std::set<std::string> stood_off;                 // controls that values stand for
  std::map<std::string, std::string> environment;  // that values stand for
  std::set<std::string> standing;                  // parameters whose value stands for something
};

Meaning meaning_of(const CaseId& id, const std::vector<ParameterInfo>& parameters);

/// The controls that a value of the reserved key `off` joins by '+', in its order; an empty one where two '+' meet.
std::vector<std::string> controls_joined(const std::string& joined);

}  // namespace assay::harness
