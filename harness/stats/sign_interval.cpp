#include "harness/stats/sign_interval.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/stats/median.hpp"

namespace assay::harness {

// Why order statistics: each sample lies above the true median with chance 1/2, whatever the noise looks like, so the
// count above it is Binomial(n, 1/2) and the coverage is exact. A t interval needs normal samples and a bootstrap needs
// many; processes give neither. (David and Nagaraja, Order Statistics, section 7.1.)
double sign_coverage(int n, int rank) {
  if (rank < 1 || 2 * rank > n + 1)
    throw std::domain_error("sign_coverage: rank " + std::to_string(rank) + " of " + std::to_string(n) +
                            " samples; expected 1 to (n + 1) / 2");
  const boost::math::binomial_distribution<double> above(n, 0.5);
  return 1 - 2 * boost::math::cdf(above, rank - 1);
}

std::optional<int> sign_rank(int n, double confidence) {
  std::optional<int> best;
  for (int rank = 1; 2 * rank <= n + 1 && sign_coverage(n, rank) >= confidence; ++rank) best = rank;
  return best;
}

std::optional<Interval> sign_interval(std::span<const double> values, double confidence) {
  require_finite(values, "sign_interval");
  const int n = static_cast<int>(values.size());
  const std::optional<int> rank = sign_rank(n, confidence);
  if (!rank) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return Interval{sorted[*rank - 1], sorted[n - *rank], sign_coverage(n, *rank)};
}

int min_sample_count(double confidence) {
  if (!(confidence > 0 && confidence < 1))
    throw std::domain_error("min_sample_count: confidence must lie between 0 and 1");
  int n = 1;
  while (!sign_rank(n, confidence)) ++n;
  return n;
}

double expected_to_miss(std::span<const double> confidences) {
  require_finite(confidences, "expected_to_miss");
  double sum = 0;
  for (const double confidence : confidences) sum += 1 - confidence;
  return sum;
}

}  // namespace assay::harness
