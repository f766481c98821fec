#include <limits>

#include "engine/kernels/axes.hpp"
#include "engine/kernels/maximum.hpp"
#include "engine/kernels/reference/families.hpp"

namespace assay::engine::reference {
namespace {

/// sum, mean or max of the elements x[base + offset]. The maximum of nothing is minus infinity.
template <class T>
T reduced(Op op, const T* x, std::int64_t base, const std::vector<std::int64_t>& offsets) {
  if (op == Op::max) {
    T best = -std::numeric_limits<T>::infinity();
    for (const std::int64_t offset : offsets) best = maximum_of(x[base + offset], best);
    return best;
  }
  double sum = 0;
  for (const std::int64_t offset : offsets) sum += static_cast<double>(x[base + offset]);
  return static_cast<T>(op == Op::mean ? sum / static_cast<double>(offsets.size()) : sum);
}

}  // namespace

Prepared prepare_reduction(const Request& request) {
  require_count(request, 1, 1);
  const Op op = request.operation.op;
  const Shape& full = request.in[0].shape;
  require_shape("reduction", without_axes(full, request.attributes().axes), request.out[0].shape);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(
        request, static_cast<double>(full.elements()),
        [op, offsets = split_offsets(full, request.attributes().axes)](auto in, auto out, Context&) {
          const T* x = in[0].template as<const T>();
          T* y = out[0].template as<T>();
          for (std::size_t i = 0; i < offsets.kept.size(); ++i) {
            y[i] = reduced(op, x, offsets.kept[i], offsets.reduced);
          }
        });
  });
}

Prepared prepare_argmax(const Request& request) {
  require_count(request, 1, 1);
  const Shape& x_shape = request.in[0].shape;
  if (x_shape.rank() != 2) throw Unsupported("expected a matrix, found " + to_string(x_shape));
  require_shape("argmax", Shape{x_shape[0]}, request.out[0].shape);
  const std::int64_t rows = x_shape[0];
  const std::int64_t columns = x_shape[1];
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, 0, [=](auto in, auto out, Context&) {
      const T* x = in[0].template as<const T>();
      std::int32_t* y = out[0].template as<std::int32_t>();
      for (std::int64_t i = 0; i < rows; ++i) {
        y[i] = static_cast<std::int32_t>(index_of_maximum(x + i * columns, columns));
      }
    });
  });
}

}  // namespace assay::engine::reference
