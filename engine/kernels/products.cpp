#include "engine/kernels/products.hpp"

namespace assay::engine {

Product product(const Request& request) {
  if (request.in.size() < 2 || request.out.empty()) require_count(request, 2, 1);
  const Shape& left = request.in[0].shape;
  const Shape& right = request.in[1].shape;
  if (left.rank() != 2 || right.rank() != 2) {
    throw Unsupported("expected two matrices, found " + to_string(left) + " and " + to_string(right));
  }
  const Op op = request.operation.op;
  Product product;
  product.transpose_left = op == Op::inner_product_weights || (op == Op::matmul && request.attributes().transpose_a);
  product.transpose_right = op == Op::inner_product_data || (op == Op::matmul && request.attributes().transpose_b);
  product.m = left[product.transpose_left ? 1 : 0];
  product.k = left[product.transpose_left ? 0 : 1];
  product.n = right[product.transpose_right ? 0 : 1];
  const std::int64_t right_k = right[product.transpose_right ? 1 : 0];
  if (right_k != product.k) {
    throw Unsupported(to_string(left) + " times " + to_string(right) + ": inner dimensions " +
                      std::to_string(product.k) + " and " + std::to_string(right_k) + " differ");
  }
  require_shape("result", Shape{product.m, product.n}, request.out[0].shape);
  return product;
}

}  // namespace assay::engine
