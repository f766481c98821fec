#pragma once
#include "engine/core/tensor.hpp"
#include "engine/kernels/operation.hpp"

namespace assay::engine {

/// x […,c] + b [c].
Tensor add_bias(const Tensor& x, const Tensor& bias);
Tensor relu(const Tensor& x);
/// x [n,h,w,c] -> [n,h',w',c].
Tensor max_pool(const Tensor& x, std::int64_t window, std::int64_t stride, Padding padding = Padding::valid);
/// `key` int64 [2]: seed and counter. A share `rate` of the values becomes 0, the rest is divided by 1 - rate.
Tensor dropout(const Tensor& x, const Tensor& key, double rate);
/// Rows of x [m,n] that sum to 1.
Tensor softmax(const Tensor& x);
/// Loss of each row from logits [m,n] and labels int32 [m].
Tensor softmax_cross_entropy(const Tensor& logits, const Tensor& labels);

}  // namespace assay::engine
