#include "harness/claims/quantity_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace assay::harness {

std::string quantity_text(double value, const std::string& unit) {
  static constexpr std::array<std::pair<double, const char*>, 4> scales{
      {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}}};
  std::array<char, 32> number{};
  if (unit != "ns") {
    std::snprintf(number.data(), number.size(), "%.3g", value);
    return number.data() + (unit.empty() ? "" : " " + unit);
  }
  const auto* const scale =
      std::find_if(scales.begin(), scales.end() - 1, [&](const auto& one) { return value >= one.first; });
  std::snprintf(number.data(), number.size(), "%.3g", value / scale->first);
  return number.data() + (" " + std::string(scale->second));
}

}  // namespace assay::harness
