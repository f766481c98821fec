#pragma once
#include "engine/kernels/request.hpp"

// The reference back end: the shortest loops that are right, sums in float64, one thread, plain layouts. What tests
// hold every other kernel against; nobody times it.
namespace assay::engine::reference {

Prepared prepare_product(const Request& request);  // matmul and the three of inner_product

Prepared prepare_conv2d(const Request& request);
Prepared prepare_conv2d_data(const Request& request);
Prepared prepare_conv2d_weights(const Request& request);

Prepared prepare_max_pool(const Request& request);
Prepared prepare_max_pool_gradient(const Request& request);

Prepared prepare_unary(const Request& request);
Prepared prepare_binary(const Request& request);
Prepared prepare_equal(const Request& request);
Prepared prepare_relu_gradient(const Request& request);
Prepared prepare_add_bias(const Request& request);
Prepared prepare_cast(const Request& request);

Prepared prepare_reduction(const Request& request);
Prepared prepare_argmax(const Request& request);
Prepared prepare_copy(const Request& request);  // reshape, and reorder between plain layouts
Prepared prepare_broadcast(const Request& request);

Prepared prepare_softmax(const Request& request);
Prepared prepare_softmax_gradient(const Request& request);
Prepared prepare_softmax_cross_entropy(const Request& request);
Prepared prepare_softmax_cross_entropy_gradient(const Request& request);

Prepared prepare_dropout(const Request& request);
Prepared prepare_dropout_gradient(const Request& request);

Prepared prepare_all_finite(const Request& request);
Prepared prepare_quantize(const Request& request);
Prepared prepare_identity(const Request& request);  // quantize_gradient
Prepared prepare_float8_scale(const Request& request);

Prepared prepare_sgd(const Request& request);
Prepared prepare_adam(const Request& request);

/// plain_answer() for one thread with float64 sums.
template <class Run>
Prepared reference_answer(const Request& request, double flops, Run run) {
  Prepared prepared = answer(request, "reference", flops, 1, 0, std::move(run));
  prepared.info.accumulate = DType::float64;
  return prepared;
}

}  // namespace assay::engine::reference
