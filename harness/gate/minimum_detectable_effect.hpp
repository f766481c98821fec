#pragma once
#include <optional>

#include "harness/gate/preset.hpp"

namespace assay::harness {

/// What an undecided benchmark owes its reader. `half_width` h is that of the last look's interval, in logs.

/// The smallest effect that is found with about 80 % chance: max(F, exp(1.34 h) - 1).
double could_have_been_seen(double half_width, const Preset& preset);

/// More rounds than this are asked of nobody.
inline constexpr int most_rounds = 64;

struct Settling {
  std::optional<int> rounds;      // a multiple of 4; none where they would be too many
  double noise_must_fall_by = 0;  // the factor, where they would
};

/// Rounds of a new run that would settle it, from n rounds with this effect (a log): the interval must fall inside the
/// margin or leave no change behind, whichever needs fewer, half as many again to be safe.
Settling rounds_that_settle(int n, double effect, double half_width, const Preset& preset);

}  // namespace assay::harness
