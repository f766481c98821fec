#pragma once
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "engine/core/variable.hpp"

namespace assay::engine {

/// How a loss scale moves (Micikevicius et al. 2018, section 3.2, with the rule that frameworks share).
struct LossScaleSettings {
  bool dynamic = true;                  // fixed: the scale stays, steps with an overflow are skipped all the same
  double initial = 32768;               // 2^15
  double factor = 2;                    // grows by it, falls by it
  std::int64_t growth_interval = 2000;  // clean steps in a row before it grows
  double floor = 0x1p-20, ceiling = 0x1p24;
  std::int64_t max_skips = 50;  // skipped steps in a row after which training has stuck
};

/// Training that no longer moves: every gradient overflows at every scale that was tried. what() names the count.
class TrainingStuck : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Multiplies the loss so that gradients of a narrow type do not vanish, divides the gradients again, and skips a step
/// whose gradients are not finite. State are variables, and all of it is operations, so that it traces. A skipped step
/// leaves weights, slots and the optimizer's counter as they are (the update takes `finite` as its switch); it counts
/// as no clean step.
class LossScale {
 public:
  /// Throws std::invalid_argument for scales outside 2^-126 to 2^126, a factor outside 1 + 2^-10 to 2^20, and
  /// intervals outside 1 to 2^24: what float32 tells apart.
  explicit LossScale(const LossScaleSettings& settings = {});

  /// loss * scale, in float32 or float64.
  Tensor scaled(const Tensor& loss) const;

  struct Unscaled {
    std::vector<Tensor> gradients;
    Tensor finite;  // float32 scalar: 1 where every gradient is finite, else 0
  };
  /// Gradients of the scaled loss divided by the scale. A gradient that nothing depends on is zeros, and finite.
  Unscaled unscaled(std::span<const Tensor> gradients) const;
  /// Moves the scale after a step. `finite` as unscaled() gives it.
  void advance(const Tensor& finite);

  const LossScaleSettings& settings() const { return settings_; }
  /// float32 scalar: the scale that the next step uses.
  const Variable& scale() const { return scale_; }
  /// float32 scalars: steps skipped in all, and in a row up to now.
  const Variable& skipped() const { return skipped_; }
  const Variable& skipped_in_a_row() const { return in_a_row_; }
  std::vector<Variable> state() const { return {scale_, clean_, skipped_, in_a_row_}; }

 private:
  LossScaleSettings settings_;
  Variable scale_, clean_, skipped_, in_a_row_;
};

}  // namespace assay::engine
