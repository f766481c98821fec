#pragma once
#include "engine/core/tensor.hpp"

namespace assay::engine {

/// a [m,k] times b [k,n]; with transpose_a a is [k,m], with transpose_b b is [n,k].
Tensor matmul(const Tensor& a, const Tensor& b, bool transpose_a = false, bool transpose_b = false);

}  // namespace assay::engine
