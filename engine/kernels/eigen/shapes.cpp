#include <algorithm>
#include <cstring>

#include "engine/core/convert.hpp"
#include "engine/kernels/axes.hpp"
#include "engine/kernels/eigen/families.hpp"

namespace assay::engine::eigen {

Prepared prepare_reshape(const Request& request) {
  require_count(request, 1, 1);
  const TensorType& from = request.in[0];
  const TensorType& to = request.out[0];
  if (from.shape.elements() != to.shape.elements() || from.dtype != to.dtype) {
    throw Unsupported("cannot read " + to_string(from.shape) + " " + std::string(name(from.dtype)) + " as " +
                      to_string(to.shape) + " " + std::string(name(to.dtype)));
  }
  return loop_answer(request, static_cast<std::int64_t>(from.bytes()), cost_of_move / 4,
                     [](std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
                       if (in[0].data == out[0].data) return;
                       std::memcpy(out[0].data + begin, in[0].data + begin, static_cast<std::size_t>(end - begin));
                     });
}

Prepared prepare_broadcast(const Request& request) {
  require_count(request, 1, 1);
  const Shape& full = request.out[0].shape;
  require_shape("broadcast input", without_axes(full, request.attributes().axes), request.in[0].shape);
  ReductionShape s;
  if (!collapse_axes(full, request.attributes().axes, s)) throw Unsupported("the new axes are not neighbours");
  return visit_dtype(request.in[0].dtype, [&](auto zero) {
    using T = decltype(zero);
    return rows_answer(request, s.outer * s.reduced, s.inner, cost_of_move,
                       [s](std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
                         for (std::int64_t row = begin; row < end; ++row) {
                           std::copy_n(in[0].as<const T>() + row / s.reduced * s.inner, s.inner,
                                       out[0].as<T>() + row * s.inner);
                         }
                       });
  });
}

}  // namespace assay::engine::eigen
