#include "engine/kernels/eigen/families.hpp"

namespace assay::engine::eigen {

Prepared prepare_add_bias(const Request& request) {
  require_count(request, 2, 1);
  const Shape& x_shape = request.in[0].shape;
  if (x_shape.rank() == 0 || x_shape[-1] == 0) throw Unsupported("no channels in " + to_string(x_shape));
  require_shape("bias", Shape{x_shape[-1]}, request.in[1].shape);
  require_shape("result", x_shape, request.out[0].shape);
  const std::int64_t channels = x_shape[-1];
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return rows_answer(
        request, x_shape.elements() / channels, channels, cost_of_move,
        [channels](std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
          const T* bias = in[1].as<const T>();
          for (std::int64_t row = begin; row < end; ++row) {
            const T* x = in[0].as<const T>() + row * channels;
            T* y = out[0].as<T>() + row * channels;
#pragma GCC ivdep
            for (std::int64_t c = 0; c < channels; ++c) y[c] = x[c] + bias[c];
          }
        });
  });
}

Prepared prepare_relu_gradient(const Request& request) {
  require_count(request, 2, 1);
  require_shape("output of relu", request.in[0].shape, request.in[1].shape);
  require_shape("result", request.in[0].shape, request.out[0].shape);
  if (is_narrow(request.in[0].dtype)) return prepare_relu_gradient_16(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return loop_answer(request, request.in[0].shape.elements(), cost_of_move,
                       [](std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
                         const T* dy = in[0].as<const T>();
                         const T* y = in[1].as<const T>();
                         T* dx = out[0].as<T>();
#pragma GCC ivdep
                         for (std::int64_t i = begin; i < end; ++i) dx[i] = y[i] <= 0 ? T{0} : dy[i];
                       });
  });
}

}  // namespace assay::engine::eigen
