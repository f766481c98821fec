#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "scenarios/kernels/held_kernel.hpp"

namespace assay::scenarios::kernels {

/// What one repetition saw: shortest times of turns in which the kernel and both roofs took turns.
struct Turn {
  double time = 0;       // ns a call
  double peak = 0;       // GFLOP/s of the multiply-add loop
  double bandwidth = 0;  // GB/s of the walk
};

/// How a kernel's rates compare with the roofs, formed inside one repetition.
struct Speed {
  double flop_rate = 0, byte_rate = 0;         // GFLOP/s, GB/s
  double peak_share = 0, bandwidth_share = 0;  // of the roofs

  /// Whether no roof seems to be passed: see peak_limit and bandwidth_limit.
  bool possible() const;
  /// Of the roof that limits it: rate / min(peak, intensity x bandwidth) is the larger of the two shares.
  double share() const { return peak_share > bandwidth_share ? peak_share : bandwidth_share; }
};
Speed speed_of(const Turn& turn, double flops, double bytes);

/// No kernel is above its roof; where one seems to be, the turns go on until the roof was seen undisturbed, too.
constexpr double peak_limit = 1.05;  // as in `machine`: for a clock that moves
/// A walk is one loop of many with its mix, and another may be faster: Eigen's sum of two arrays in L2 runs at 1.05 to
/// 1.08 of the triad here (AVX-512, one thread).
constexpr double bandwidth_limit = 1.15;

/// One entry for each repetition.
std::vector<Turn> measure(HeldKernel& kernel, int repetitions);

/// How many calls in one sample: from 1 on, doubled until a sample lasts 0.3 ms, three times in a row (one that was
/// interrupted must not pass for long enough).
std::int64_t calls_that_fill_a_sample(const std::function<void(std::int64_t calls)>& run);

}  // namespace assay::scenarios::kernels
