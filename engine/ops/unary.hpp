#pragma once
#include "engine/core/tensor.hpp"

namespace assay::engine {

// Element by element.
Tensor negate(const Tensor& x);
Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor square(const Tensor& x);
Tensor tanh(const Tensor& x);
/// x * factor.
Tensor scale(const Tensor& x, double factor);
/// x + addend; int64 too, for counters.
Tensor add_scalar(const Tensor& x, double addend);
/// Round to nearest even; int8 and uint8 saturate.
Tensor cast(const Tensor& x, DType dtype);

}  // namespace assay::engine
