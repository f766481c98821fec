#pragma once
#include <map>
#include <string>
#include <string_view>

namespace assay::harness {

/// A configuration's name taken apart: `tracing.step{mode=eager}` is case_name "tracing.step" and values {mode: eager}.
/// The key `off` is reserved: controls switched off for this configuration, joined by `+`.
struct CaseId {
  std::string case_name;
  std::map<std::string, std::string> values;

  friend bool operator==(const CaseId&, const CaseId&) = default;
};

/// Throws std::invalid_argument that names the id and what is wrong with it.
CaseId parse_case_id(std::string_view id);

/// Keys sorted, no braces without values. Leaving out defaults is the caller's affair (it knows them).
std::string format_case_id(const CaseId& id);

}  // namespace assay::harness
