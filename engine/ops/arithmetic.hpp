#pragma once
#include "engine/core/tensor.hpp"

namespace assay::engine {

// Element by element, both of one shape or b a scalar.
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor maximum(const Tensor& a, const Tensor& b);
/// 1 where equal, else 0; float64 for float64, else float32. No gradient.
Tensor equal(const Tensor& a, const Tensor& b);
/// 1 where x is NaN, else 0, in the type of equal(). No gradient.
Tensor is_nan(const Tensor& x);

}  // namespace assay::engine
