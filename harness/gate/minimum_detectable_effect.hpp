#pragma once
#include <optional>

#include "harness/gate/preset.hpp"
#include "harness/stats/power.hpp"

namespace assay::harness {

/// What the gate tells of an undecided benchmark. `half_width` (h) is half the interval's width at the last look, in
/// logs.

/// The smallest effect that is found with about 80 % chance: max(F, exp(1.34 h) - 1).
double minimum_detectable_effect(double half_width, const Preset& preset);

struct SettlingRounds {
  std::optional<int> rounds;      // a multiple of 4; none if above max_settling_rounds
  double noise_must_fall_by = 0;  // the factor, if so
};

/// The rounds of a new run that would settle it, from n rounds with this effect (a log). The interval must fall inside
/// the margin or exclude no change, whichever needs fewer rounds; the result is half as many again, to be safe.
SettlingRounds rounds_to_settle(int n, double effect, double half_width, const Preset& preset);

}  // namespace assay::harness
