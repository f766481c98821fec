#pragma once
#include <vector>

namespace assay::scenarios::machine {

/// What was measured in the same moments, one entry a repetition each.
struct PeakSamples {
  std::vector<double> clock;         // GHz
  std::vector<double> multiply_add;  // GFLOP/s
  std::vector<double> matmul;        // GFLOP/s; empty without a kernel
};

/// Medians over the repetitions, each formed inside its repetition first.
struct PeakLimits {
  double theoretical_peak = 0;    // GFLOP/s
  double multiply_add_units = 0;  // kept busy by the loop
  double multiply_add_share = 0;  // of the theoretical peak
  double matmul_share = 0;        // of the theoretical peak; 0 without a kernel
};

/// A share may exceed 1 by this much. The clock is read in other milliseconds than the rate, and CPUs change it in
/// steps of 100 MHz, which is 3 to 5 percent of 2 to 3 GHz; the times themselves are exact to 0.1 percent.
constexpr double share_tolerance = 0.05;

/// `flops_a_cycle`: of all cores with one unit each; `units`: assumed a core.
PeakLimits peak_limits(const PeakSamples& samples, double flops_a_cycle, double units);

}  // namespace assay::scenarios::machine
