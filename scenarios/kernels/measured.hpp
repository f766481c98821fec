#pragma once
#include <map>
#include <string>
#include <vector>

#include "scenarios/kernels/speed.hpp"

namespace assay::scenarios::kernels {

/// What was measured of one size, after its kernel is gone.
struct Measured {
  Size size;
  engine::KernelInfo info;
  double flops = 0, bytes = 0;
  Traffic traffic;
  std::vector<Turn> turns;  // one a repetition

  std::vector<double> shares() const;
  /// Whether in most repetitions no roof seems to be passed.
  bool possible() const;
  /// Median of one member over the repetitions.
  double median_of(double Turn::*member) const;
};

/// The best peak seen on so many threads, in GFLOP/s.
using Peaks = std::map<int, double>;
Peaks best_peaks(const std::vector<Measured>& all);

/// Why a size's numbers are worth nothing. `disturbed`: the multiply-add loop, which is the same for all sizes on as
/// many threads, was far below its best, so something else ran. `impossible`: it was not, and yet the kernel seems to
/// be above its roof.
enum class Trouble : std::uint8_t { none, disturbed, impossible };
Trouble trouble_of(const Measured& measured, const Peaks& best);
/// The reason in words; "" for none.
std::string reason_of(const Measured& measured, const Peaks& best);

}  // namespace assay::scenarios::kernels
