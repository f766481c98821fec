#pragma once
#include "engine/core/tensor.hpp"

namespace assay::engine {

/// 1 where every element is finite, else 0: a float32 scalar without gradient.
Tensor all_finite(const Tensor& x);
/// 1 - x: the opposite of what is 0 or 1.
Tensor one_minus(const Tensor& x);

struct Quantized {
  Tensor y;     // in x's type
  Tensor amax;  // the largest finite |x|: a float32 scalar. An infinity would stay in an average or a history for good
};
/// x on the grid of a float8 format (DType::float8_e4m3 or float8_e5m2) after scaling: float8(x * scale) / scale.
/// `scale` is a float32 scalar, a power of 2, so that y is exact in x's type. Gradients pass straight through.
Quantized quantize(const Tensor& x, const Tensor& scale, DType format);

/// The largest power of 2 that keeps the largest of `history` [n] within a float8 format; 1 where that is 0 or not
/// finite. A float32 scalar without gradient.
Tensor float8_scale(const Tensor& history, DType format);

/// x as it is; what comes back through it is quantized, and the gradient of `amax` (a float32 scalar whose value does
/// not matter) is the amax of that.
Tensor quantize_gradient(const Tensor& x, const Tensor& scale, const Tensor& amax, DType format);

}  // namespace assay::engine
