#pragma once
#include <optional>

#include "harness/stats/sign_interval.hpp"

namespace assay::harness {

/// Nobody runs more rounds than this: a comparison that needs more is not settled here.
inline constexpr int max_settling_rounds = 64;

/// An effect of this many half widths of its sign interval is found with the chance `power`: 1.41 for 6 rounds, 1.38
/// for 10. Throws std::domain_error if n samples give no interval.
double power_factor(int n, double power = 0.8);

/// The smallest effect that a comparison of n rounds with this interval would have found with 80 % chance, never below
/// the margin, inside which two configurations are called the same. On the additive scale.
double minimum_detectable_effect(const Interval& interval, int n, double margin);

/// The rounds that would settle an undecided comparison if its true effect is `effect`. May be above
/// max_settling_rounds. None if no number of rounds would (an effect of exactly 0 with a margin of 0).
std::optional<double> rounds_to_settle(const Interval& interval, int n, double effect, double margin);

}  // namespace assay::harness
