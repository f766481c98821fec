#include "harness/claims/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace assay::harness {

namespace {

using nlohmann::json;

constexpr double infinity = std::numeric_limits<double>::infinity();

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw std::invalid_argument(
      where + ": " + what +
      "; expected {KIND_at_most: NUMBER}, {KIND_at_least: NUMBER} or {KIND_between: [LOW, HIGH]}, "
      "KIND one of ratio, difference, value, and at most \"absolute\": true beside it");
}

double number(const json& value, const std::string& where) {
  if (!value.is_number()) fail(where, value.dump() + " is no number");
  return value;
}

Bounds read_one(const std::string& name, const json& value, const std::string& where) {
  const auto split = name.find('_');
  Bounds bounds{name.substr(0, split), -infinity, infinity};
  const std::string limit = split == std::string::npos ? "" : name.substr(split + 1);
  if (bounds.kind != "ratio" && bounds.kind != "difference" && bounds.kind != "value")
    fail(where, "unknown bound '" + name + "'");
  if (limit == "at_most") {
    bounds.high = number(value, where);
  } else if (limit == "at_least") {
    bounds.low = number(value, where);
  } else if (limit == "between" && value.is_array() && value.size() == 2) {
    bounds.low = number(value[0], where);
    bounds.high = number(value[1], where);
  } else {
    fail(where, "unknown bound '" + name + "'");
  }
  if (bounds.low > bounds.high) fail(where, "the low bound is above the high one");
  return bounds;
}

}  // namespace

Bounds read_bounds(const json& bounds, const std::string& where) {
  if (!bounds.is_object()) fail(where, bounds.dump() + " is no object");
  if (bounds.contains("absolute") && !bounds.at("absolute").is_boolean())
    fail(where, "absolute is " + bounds.at("absolute").dump());
  const bool absolute = bounds.value("absolute", false);
  if (bounds.size() != (bounds.contains("absolute") ? 2u : 1u)) fail(where, "it must hold one bound");
  for (const auto& [name, value] : bounds.items()) {
    if (name == "absolute") continue;
    Bounds result = read_one(name, value, where);
    result.absolute = absolute;
    return result;
  }
  fail(where, "it holds no bound");
}

Range absolute(Range range) {
  const double a = std::abs(range.low), b = std::abs(range.high);
  const bool across_zero = range.low <= 0 && 0 <= range.high;
  return {across_zero ? 0 : std::min(a, b), std::max(a, b)};
}

Place place(const Bounds& bounds, Range range) {
  const Range seen = bounds.absolute ? absolute(range) : range;
  if (bounds.low <= seen.low && seen.high <= bounds.high) return Place::inside;
  if (seen.high < bounds.low || seen.low > bounds.high) return Place::outside;
  return Place::across;
}

}  // namespace assay::harness
