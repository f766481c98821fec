#include "harness/stats/median.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace assay::harness {

void require_finite(std::span<const double> values, const std::string& what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw std::domain_error(what + ": value " + std::to_string(i + 1) + " of " + std::to_string(values.size()) +
                              " is not a finite number");
}

// Why the median: 5 % of processes on a shared machine are slowed by 10 to 60 %. They move a mean by their size and a
// median not at all, while the minimum is blind to a slow-down that hits only some repetitions.
double median(std::span<const double> values) {
  if (values.empty()) throw std::domain_error("median: no values");
  require_finite(values, "median");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[middle];
  return sorted[middle - 1] / 2 + sorted[middle] / 2;  // halves first: the sum of two large values may overflow
}

}  // namespace assay::harness
