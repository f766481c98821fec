#pragma once
#include <string>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// The bounds of a measured number, both included.
struct Bounds {
  std::string kind;          // "ratio", "difference" or "value"
  double low = 0, high = 0;  // may be infinite
  bool absolute = false;     // bounds of the absolute value
};

/// The interval of a measured number (a ratio, not its logarithm). An exact number is its own interval.
struct Range {
  double low = 0, high = 0;
};

enum class Place { inside, outside, across };

/// From {"ratio_at_most": 1.1}, {"difference_at_least": 0.005, "absolute": true}, {"value_between": [0, 1]}.
/// Throws std::invalid_argument, naming `where`, for anything else.
Bounds read_bounds(const nlohmann::json& bounds, const std::string& where);

/// Whether the whole range lies inside the bounds, outside of them, or neither.
Place place(const Bounds& bounds, Range range);

/// The range of the absolute value: [-0.002, 0.001] becomes [0, 0.002].
Range absolute(Range range);

}  // namespace assay::harness
