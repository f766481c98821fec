#pragma once
#include <optional>
#include <span>

namespace assay::harness {

/// The smallest coverage of an interval that is shown.
inline constexpr double min_confidence = 0.95;

/// A confidence interval of a median and its exact coverage.
struct Interval {
  double low = 0, high = 0, confidence = 0;
};

/// Chance that the median of a population lies between the values of rank `rank` and n + 1 - rank (from 1) of n
/// samples: 1 - 2 P(Binomial(n, 1/2) < rank). Throws std::domain_error unless 1 <= rank <= (n + 1) / 2.
double sign_coverage(int n, int rank);

/// The largest rank whose interval still covers at least `confidence`; none if even the whole range covers less (n < 6
/// at 95 %).
std::optional<int> sign_rank(int n, double confidence = min_confidence);

/// The order-statistic (sign) interval of the median; none if there are too few values.
std::optional<Interval> sign_interval(std::span<const double> values, double confidence = min_confidence);

/// The fewest samples that give an interval: 6 at 95 %.
int min_sample_count(double confidence = min_confidence);

/// How many of these intervals miss the truth on average: the sum of 1 - coverage.
double expected_to_miss(std::span<const double> confidences);

}  // namespace assay::harness
