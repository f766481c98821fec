#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/variable.hpp"

namespace assay::engine {

/// One tensor of a float8 product (an input, a kernel, a gradient) with the recipe's delayed scaling: its scale is the
/// largest power of 2 that keeps the largest magnitude of the last `history` steps within the format (the recipe of
/// Transformer Engine: HYBRID formats, amax history, 'max'). Until something was seen the scale is 1. Values beyond
/// saturate; NaN stays NaN. What is not finite is not noted.
class Float8Tensor {
 public:
  static constexpr std::int64_t default_history = 1024;

  /// `format` is DType::float8_e4m3 or float8_e5m2.
  Float8Tensor(const std::string& name, DType format, std::int64_t history = default_history);

  /// x on the format's grid, in x's type; `observe` notes its amax for later steps.
  Tensor quantized(const Tensor& x, bool observe) const;
  /// x as it is; the gradient that comes back through it is quantized. Its amax comes as the gradient with respect to
  /// amax(), to be handed to observe().
  Tensor gradient_quantized(const Tensor& x) const;
  const Variable& amax() const { return amax_; }
  void observe(const Tensor& amax) const;

  /// A power of 2: float32 scalar.
  Tensor scale() const;
  std::vector<Variable> state() const { return {history_, position_}; }

 private:
  DType format_;
  std::int64_t length_;
  Variable history_, position_, amax_;
  Tensor places_;  // 0, 1, …: where in the history an amax goes
};

}  // namespace assay::engine
