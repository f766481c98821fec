#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::harness {

/// The `name` of each entry.
template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& entry : list) names.push_back(entry.name);
  return names;
}

/// The candidate with the smallest edit distance to `wrong`. A candidate that contains `wrong` has distance 1. "" if no
/// candidate is near enough.
std::string spelling_suggestion(std::string_view wrong, std::span<const std::string> candidates);

/// `unknown WHAT 'WRONG'; did you mean 'NEAREST'?`, or the list of all candidates if none is near.
std::string unknown_name(std::string_view what, std::string_view wrong, std::span<const std::string> candidates);

}  // namespace assay::harness
