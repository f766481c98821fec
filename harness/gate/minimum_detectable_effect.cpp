#include "harness/gate/minimum_detectable_effect.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::harness {

// At a true effect of 1.34 half widths the interval excludes 0 four times in five.
double minimum_detectable_effect(double half_width, const Preset& preset) {
  return std::max(preset.floor, std::expm1(1.34 * half_width));
}

SettlingRounds rounds_to_settle(int n, double effect, double half_width, const Preset& preset) {
  const double size = std::abs(effect), margin = preset.log_margin();
  double shrink = std::numeric_limits<double>::infinity();
  if (size < margin) shrink = std::min(shrink, std::pow(half_width / (margin - size), 2));
  if (size > preset.log_floor()) shrink = std::min(shrink, std::pow(half_width / size, 2));
  const double wanted = 1.5 * n * shrink;
  const double rounds = 4 * std::ceil(wanted / 4);
  if (!(rounds <= max_settling_rounds)) return {std::nullopt, std::sqrt(wanted / max_settling_rounds)};
  return {std::max(4, static_cast<int>(rounds)), 0};
}

}  // namespace assay::harness
