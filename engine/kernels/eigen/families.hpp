#pragma once
#include "engine/core/threads.hpp"
#include "engine/kernels/request.hpp"

// The Eigen back end: threaded, vectorised, plain layouts, float32 and float64. What runs with oneDNN off, so it is
// written to be fast: matrix work is Eigen's GEMM on a static split, the rest are loops that the compiler or Eigen
// vectorises.
namespace assay::engine::eigen {

Prepared prepare_product(const Request& request);  // matmul and the three of inner_product

Prepared prepare_conv2d(const Request& request);
Prepared prepare_conv2d_data(const Request& request);
Prepared prepare_conv2d_weights(const Request& request);

Prepared prepare_max_pool(const Request& request);
Prepared prepare_max_pool_gradient(const Request& request);

Prepared prepare_unary(const Request& request);
Prepared prepare_binary(const Request& request);
Prepared prepare_add_bias(const Request& request);
Prepared prepare_relu_gradient(const Request& request);
Prepared prepare_equal(const Request& request);
Prepared prepare_cast(const Request& request);

Prepared prepare_reduction(const Request& request);
Prepared prepare_argmax(const Request& request);
Prepared prepare_reshape(const Request& request);
Prepared prepare_broadcast(const Request& request);

Prepared prepare_softmax(const Request& request);
Prepared prepare_softmax_gradient(const Request& request);
Prepared prepare_softmax_cross_entropy(const Request& request);
Prepared prepare_softmax_cross_entropy_gradient(const Request& request);

Prepared prepare_dropout(const Request& request);
Prepared prepare_dropout_gradient(const Request& request);

Prepared prepare_all_finite(const Request& request);
Prepared prepare_quantize(const Request& request);
Prepared prepare_float8_scale(const Request& request);
Prepared prepare_identity(const Request& request);

// Of 16-bit types, on the bits as they are stored.
Prepared prepare_relu_16(const Request& request);
Prepared prepare_relu_gradient_16(const Request& request);

Prepared prepare_sgd(const Request& request);
Prepared prepare_adam(const Request& request);

/// Borders between threads fall on whole cache lines of every element type, so that vectorised heads and tails, and
/// with them the last bit of a result, do not depend on the number of threads.
constexpr std::int64_t line = 64;

/// Scalar operations that one element counts for in threads_for(): about its time in quarters of a multiply-add, memory
/// included.
constexpr double cost_of_move = 4, cost_of_exp = 16;

/// plain_answer() for a loop over `n` elements: run(in, out, begin, end) on a static split.
template <class Run>
Prepared loop_answer(const Request& request, std::int64_t n, double cost, Run run) {
  const int threads = threads_for(static_cast<double>(n) * cost, request.target.threads);
  return answer(request, "eigen", static_cast<double>(n), threads, 0,
                [n, threads, run = std::move(run)](std::span<const View> in, std::span<const View> out, Context&) {
                  parallel_for(
                      n, threads, [&](std::int64_t begin, std::int64_t end) { run(in, out, begin, end); }, line);
                });
}

/// The same over rows of `width` elements: run(in, out, first_row, last_row), borders at multiples of `grain` rows.
template <class Run>
Prepared rows_answer(const Request& request, std::int64_t rows, std::int64_t width, double cost, Run run,
                     std::int64_t grain = 1) {
  const int threads = threads_for(static_cast<double>(rows * width) * cost, request.target.threads);
  return answer(
      request, "eigen", static_cast<double>(rows * width), threads, 0,
      [rows, threads, grain, run = std::move(run)](std::span<const View> in, std::span<const View> out, Context&) {
        parallel_for(
            rows, threads, [&](std::int64_t begin, std::int64_t end) { run(in, out, begin, end); }, grain);
      });
}

}  // namespace assay::engine::eigen
