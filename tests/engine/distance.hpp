#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace assay::engine::testing {

/// Root of the summed squared differences over that of the values.
inline double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
    size += std::pow(static_cast<double>(b[i]), 2);
  }
  return std::sqrt(difference / std::max(size, 1e-300));
}

}  // namespace assay::engine::testing
