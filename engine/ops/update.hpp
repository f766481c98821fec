#pragma once
#include "engine/core/variable.hpp"

namespace assay::engine {

struct SgdSettings {
  double momentum = 0;
  bool nesterov = false;
};
struct AdamSettings {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-7;
};

/// One step of gradient descent with momentum, as Keras's SGD; `apply` 0 (float32 scalar) skips it. In place on the
/// variables.
void sgd(const Variable& parameter, const Tensor& gradient, const Variable& velocity, const Tensor& learning_rate,
         const Tensor& apply, const SgdSettings& settings);
/// One step of Adam by Keras's formula; `step` (int64 scalar) counts from 1.
void adam(const Variable& parameter, const Tensor& gradient, const Variable& m, const Variable& v,
          const Tensor& learning_rate, const Tensor& step, const Tensor& apply, const AdamSettings& settings);

}  // namespace assay::engine
