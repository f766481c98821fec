#pragma once
#include <map>
#include <string>
#include <string_view>

namespace assay::harness {

/// The parts of a configuration's id: `tracing.step{mode=eager}` has the case_name "tracing.step" and the values
/// {mode: eager}. The keys `off` and `on` are reserved for controls, joined by `+`.
struct CaseId {
  std::string case_name;
  std::map<std::string, std::string> values;

  friend bool operator==(const CaseId&, const CaseId&) = default;
};

/// Throws std::invalid_argument that names the id and what is wrong with it.
CaseId parse_case_id(std::string_view id);

/// Sorts the keys and writes no braces without values. The caller leaves out defaults, which it knows.
std::string format_case_id(const CaseId& id);

}  // namespace assay::harness
