#pragma once
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::tests {

inline void places_of(const nlohmann::json& node, const nlohmann::json::json_pointer& here,
                      std::vector<nlohmann::json::json_pointer>& found) {
  found.push_back(here);
  if (node.is_object())
    for (const auto& [key, value] : node.items()) places_of(value, here / key, found);
  if (node.is_array())
    for (std::size_t i = 0; i < node.size(); ++i) places_of(node[i], here / i, found);
}

/// Calls `visit` with a copy of `document` and a text that says what was done to it, for each value at any depth: the
/// copy lacks it, or holds another type or a number out of all bounds in its place.
template <class Visit>
void with_each_field_spoilt(const nlohmann::json& document, Visit visit) {
  using nlohmann::json;
  std::vector<json::json_pointer> places;
  places_of(document, json::json_pointer(), places);
  const json others[] = {nullptr, "x", "", 3, -1, 1e300, true, json::array(), json::array({1}), json::object()};
  for (const auto& place : places) {
    for (const auto& other : others) {
      json spoilt = document;
      spoilt[place] = other;
      visit(spoilt, place.to_string() + " is " + other.dump());
    }
    if (place.empty()) continue;
    json spoilt = document;
    json& parent = spoilt[place.parent_pointer()];
    if (parent.is_object())
      parent.erase(place.back());
    else
      parent.erase(std::stoul(place.back()));
    visit(spoilt, place.to_string() + " is missing");
  }
}

}  // namespace assay::tests
