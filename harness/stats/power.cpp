#include "harness/stats/power.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <stdexcept>

namespace assay::harness {

// Derivation. With effects of spread s around m, a sign interval of rank k excludes 0 when at most k - 1 of n samples
// lie on the wrong side of it; each does with chance q = Phi(-m / s). P(Binomial(n, q) <= k - 1) = power gives q, by
// the incomplete beta function: q = 1 - I^-1(n - k + 1, k; power). So m = s Phi^-1(1 - q) is what has this power. The
// spread is read off the interval that was seen: its half width is about s times the normal score of rank n + 1 - k, by
// Blom's approximation Phi^-1((n + 1 - k - 3/8) / (n + 1/4)). The normal shape enters twice and mostly cancels: what is
// left is the ratio of two quantiles, 1.38 to 1.43 for every n, whose limit is (1.96 + 0.84) / 1.96.
double power_factor(int n, double power) {
  const std::optional<int> rank = sign_rank(n);
  if (!rank) throw std::domain_error("power_factor: too few samples for an interval");
  const boost::math::normal_distribution<double> normal;
  const double k = *rank;
  const double wrong_side = 1 - boost::math::ibeta_inv(n - k + 1, k, power);
  const double effect = boost::math::quantile(normal, 1 - wrong_side);
  const double half_width = boost::math::quantile(normal, (n + 1 - k - 0.375) / (n + 0.25));
  return effect / half_width;
}

double minimum_detectable_effect(const Interval& interval, int n, double margin) {
  return std::max(margin, power_factor(n) * (interval.high - interval.low) / 2);
}

// A half width shrinks as 1 / sqrt(n). Two ends are open: the interval leaves 0 behind (distance |e|) or falls inside
// the margin (distance margin - |e|); the farther one needs the fewer rounds. Being as wide as the distance would
// settle it half the time, so the half width must be smaller than the distance by the power factor: 80 %.
std::optional<double> rounds_to_settle(const Interval& interval, int n, double effect, double margin) {
  const double distance = std::max(std::abs(effect), margin - std::abs(effect));
  if (!(distance > 0)) return std::nullopt;
  const double shrink = power_factor(n) * (interval.high - interval.low) / 2 / distance;
  const double rounds = std::max(n + 1.0, std::ceil(n * shrink * shrink));
  if (!std::isfinite(rounds)) return std::nullopt;
  return rounds;
}

}  // namespace assay::harness
