#pragma once
#include <array>
#include <span>
#include <vector>

namespace assay::harness {

/// The distribution of T, the number of positive differences, when nothing changed. Two baseline and two candidate
/// slots are in an order drawn uniformly from the 6 arrangements, so one round gives (1, 1, 2, 1, 1) / 6 on 0..4, and n
/// rounds give its n-fold convolution. This follows from the draw alone and assumes nothing of the noise.

/// How many of the 6^rounds equally likely cases give T = 0 .. 4 * rounds. Throws std::domain_error below 1 round.
std::vector<double> null_counts(int rounds);

/// P(T >= at_least) after so many rounds.
double null_tail(int rounds, int at_least);

/// The smallest t with P(T >= t) <= chance; 4 * rounds + 1, which T never reaches, if even T = 4 * rounds is likelier.
int min_crossing(int rounds, double chance);

/// One look of a stage: after so many rounds, this many of the 4n differences must have one sign.
struct Look {
  int rounds = 0, crossing = 0;
  int spared() const { return 4 * rounds - crossing; }  // s of the interval
};

/// The chance that T reaches the count of at least one of these looks, which are in the order of their rounds.
double chance_of_crossing(std::span<const Look> looks);

/// The counts at which stage 2 confirms, at its two looks.
struct ConfirmingCounts {
  int at_8 = 0, at_16 = 0;

  std::array<Look, 2> looks() const { return {{{8, at_8}, {16, at_16}}}; }
  friend bool operator==(const ConfirmingCounts&, const ConfirmingCounts&) = default;
};

/// The counts for a gate of M benchmarks. Stage 1 lets 4.72 % through, so stage 2 may let a2 = min(5 %, 1 % / (M x 4.72
/// %)) through for the whole gate to stay at 1 %. The first look spends two fifths of a2. Throws std::domain_error
/// below 1.
ConfirmingCounts confirming_counts(int benchmarks);

/// The chances that a gate in which nothing changed says `regressed` of anything, and that it says `regressed` or
/// `improved`. Both are at most this, whatever the noise: T is symmetric, so the second is twice the first.
struct FalseAlarmBound {
  double regressed = 0, regressed_or_improved = 0;
};

/// For a gate of so many times, with these looks of stage 1 and these counts of stage 2.
FalseAlarmBound false_alarm_bound(int benchmarks, std::span<const Look> looks, const ConfirmingCounts& counts);

}  // namespace assay::harness
