#pragma once

namespace assay::harness {

/// A share of successes with its exact (Clopper and Pearson, 1934) 95 % interval.
struct Proportion {
  int successes = 0, trials = 0;
  double low = 0, high = 1;  // [0, 1] without trials
};

/// Throws std::domain_error unless 0 <= successes <= trials.
Proportion proportion(int successes, int trials);

}  // namespace assay::harness
