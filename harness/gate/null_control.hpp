#pragma once
#include <span>

#include "harness/gate/preset.hpp"

namespace assay::harness {

/// The baseline against its own copy, which must not differ.
struct NullControl {
  int rounds = 0, slower = 0, faster = 0;  // of the copy; ties are neither
  double p = 1;                            // two-sided sign test
  double median = 0;                       // log; 0 without rounds
  bool alarm = false;
};

/// N1, over all benchmarks and rounds of stage 1: an alarm at p <= 0.001 means that times judge nothing here.
NullControl control_of_gate(std::span<const double> differences);

/// N2, over all rounds of one confirmed change (at least 12): an alarm at p <= 0.01 and |median| > f / 2 makes that
/// benchmark invalid.
NullControl control_of_benchmark(std::span<const double> differences, const Preset& preset);

}  // namespace assay::harness
