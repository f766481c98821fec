#pragma once
#include <span>

#include "harness/gate/preset.hpp"

namespace assay::harness {

/// The comparison of the baseline with its own copy.
struct NullControl {
  int rounds = 0, slower = 0, faster = 0;  // of the copy; ties are neither
  double p = 1;                            // two-sided sign test
  double median = 0;                       // log; 0 without rounds
  bool alarm = false;
};

/// N1, over all benchmarks and rounds of stage 1. After an alarm (p <= 0.001) no time is judged.
NullControl control_of_gate(std::span<const double> differences);

/// N2, over all rounds of one confirmed change. An alarm (at least 12 rounds, p <= 0.01 and |median| > f / 2) makes
/// that benchmark invalid.
NullControl control_of_benchmark(std::span<const double> differences, const Preset& preset);

}  // namespace assay::harness
