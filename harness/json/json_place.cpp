#include "harness/json/json_place.hpp"

namespace assay::harness {

using nlohmann::json;

json parse_json(std::string_view text, int deepest) {
  const auto not_too_deep = [&](int depth, json::parse_event_t, json&) {
    if (depth > deepest) throw JsonError("it is nested deeper than " + std::to_string(deepest));
    return true;
  };
  try {
    return json::parse(text, not_too_deep);
  } catch (const json::parse_error& error) {
    throw JsonError("no JSON at byte " + std::to_string(error.byte));
  } catch (const json::out_of_range&) {  // 1e999
    throw JsonError("a number that no float64 holds");
  }
}

}  // namespace assay::harness
