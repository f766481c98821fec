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
  double multiply_add_units = 0;  // of a core, kept busy by the loop
  double matmul_share = 0;        // of the measured multiply-add rate; 0 without a kernel
};

/// A limit may be exceeded by this share. The clock is read in other milliseconds than the rates, and CPUs change it in
/// steps of 100 MHz, which is 3 to 5 percent of 2 to 3 GHz; the times themselves are exact to 0.1 percent.
constexpr double tolerance = 0.05;

/// `flops_a_cycle`: of all cores with one multiply-add unit each.
PeakLimits peak_limits(const PeakSamples& samples, double flops_a_cycle);

/// The most multiply-add units of a core in any CPU with vectors of so many bytes: 2 of 64 bytes (Intel's server cores;
/// AMD's Zen 4 has the throughput of 1), 4 of 16 bytes (Arm).
constexpr int max_units(int vector_bytes) { return vector_bytes >= 64 ? 2 : vector_bytes == 32 ? 2 : 4; }

}  // namespace assay::scenarios::machine
