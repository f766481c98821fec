#pragma once
#include <cstdint>

#include "engine/kernels/request.hpp"

namespace assay::engine {

/// A matrix product in numbers: left [m,k] (or [k,m] where transposed) times right [k,n] (or [n,k]) gives [m,n].
struct Product {
  std::int64_t m = 0, n = 0, k = 0;
  bool transpose_left = false, transpose_right = false;

  double flops() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
};

/// The product that matmul, inner_product, inner_product_data or inner_product_weights stands for; throws Unsupported
/// where the shapes do not fit.
Product product(const Request& request);

}  // namespace assay::engine
