#pragma once
#include "engine/core/tensor.hpp"

namespace assay::engine {

/// The same elements in another shape.
Tensor reshape(const Tensor& x, const Shape& shape);
/// [n, …] -> [n, product of the rest].
Tensor flatten(const Tensor& x);
/// The inverse of a reduction: x repeated along `axes` of `shape`.
Tensor broadcast(const Tensor& x, const Shape& shape, std::uint32_t axes);

}  // namespace assay::engine
