#pragma once
#include "engine/core/tensor.hpp"
#include "engine/kernels/operation.hpp"

namespace assay::engine {

/// x [n,h,w,c], weights [kh,kw,c,o] -> [n,h',w',o].
Tensor conv2d(const Tensor& x, const Tensor& weights, std::int64_t stride = 1, Padding padding = Padding::valid);

}  // namespace assay::engine
