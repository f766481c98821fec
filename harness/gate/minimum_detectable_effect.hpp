#pragma once
#include <optional>

#include "harness/gate/preset.hpp"
#include "harness/stats/power.hpp"

namespace assay::harness {

/// What an undecided benchmark owes its reader. `half_width` h is that of the last look's interval, in logs.

/// The smallest effect that is found with about 80 % chance: max(F, exp(1.34 h) - 1).
double minimum_detectable_effect(double half_width, const Preset& preset);

struct SettlingRounds {
  std::optional<int> rounds;      // a multiple of 4; none where they would be too many
  double noise_must_fall_by = 0;  // the factor, where they would
};

/// Rounds of a new run that would settle it, from n rounds with this effect (a log): the interval must fall inside the
/// margin or leave no change behind, whichever needs fewer, half as many again to be safe.
SettlingRounds rounds_to_settle(int n, double effect, double half_width, const Preset& preset);

}  // namespace assay::harness
