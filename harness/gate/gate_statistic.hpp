#pragma once
#include <span>
#include <vector>

namespace assay::harness {

/// The samples of one round of one benchmark: the medians of four fresh processes that ran back to back. a and null_a
/// are the baseline and its copy, b1 and b2 the candidate's two.
struct GateRound {
  double a = 0, null_a = 0, b1 = 0, b2 = 0;
};

/// The differences of every candidate sample from every baseline sample *inside* its round, as logs; above 0 means
/// worse. Drift that lasts longer than a round cancels, and a slow neighbour spoils one round only.
struct GateStatistic {
  int rounds = 0;
  std::vector<double> sorted;        // ln b - ln a (for `higher` metrics ln a - ln b), 4 a round, ascending
  int positives = 0, negatives = 0;  // ties are neither
  double effect = 0;                 // their median

  int at_least(double log_effect) const;
  int at_most(double log_effect) const;
  /// The values of rank s + 1 and 4n - s.
  double low(int s) const;
  double high(int s) const;
};

/// `higher`: larger samples are better. Throws std::domain_error for no rounds, or a sample that is not positive and
/// finite.
GateStatistic statistic_of(std::span<const GateRound> rounds, bool higher);

/// ln null_a - ln a of each round (sign turned for `higher`): how the baseline's copy differs from the baseline.
std::vector<double> null_differences(std::span<const GateRound> rounds, bool higher);

}  // namespace assay::harness
