#pragma once
#include <vector>

namespace assay::harness {

/// T, the number of positive values among the four differences of each round, when nothing changed: with two baseline
/// and two candidate slots in an order drawn uniformly from the 6 arrangements, (1, 1, 2, 1, 1) / 6 on 0..4 a round,
/// and the n-fold convolution of it after n rounds. Exact from the draw alone: nothing is assumed of the noise.

/// How many of the 6^rounds equally likely cases give T = 0 .. 4 * rounds. Throws std::domain_error below 1 round.
std::vector<double> null_counts(int rounds);

/// P(T >= at_least) after so many rounds.
double null_tail(int rounds, int at_least);

/// The smallest t with P(T >= t) <= chance; 4 * rounds + 1, which is never reached, where even all positive is
/// likelier.
int smallest_crossing(int rounds, double chance);

/// The chance that T reaches `first` after `rounds` rounds, or `second` after twice as many.
double chance_of_either(int rounds, int first, int second);

/// Where stage 2 crosses, at its two looks.
struct ConfirmingCounts {
  int at_8 = 0, at_16 = 0;

  friend bool operator==(const ConfirmingCounts&, const ConfirmingCounts&) = default;
};

/// For a gate over so many benchmarks: stage 1 lets 4.72 % through, so stage 2 may let a2 = min(5 %, 1 % / (M x 4.72
/// %)) through for the whole gate to stay at 1 %; two fifths of it are spent at the first look. Throws
/// std::domain_error below 1.
ConfirmingCounts confirming_counts(int benchmarks);

}  // namespace assay::harness
