#include <algorithm>
#include <limits>

#include "engine/kernels/axes.hpp"
#include "engine/kernels/eigen/arrays.hpp"
#include "engine/kernels/eigen/families.hpp"
#include "engine/kernels/maximum.hpp"

namespace assay::engine::eigen {
namespace {

// Rows summed in the element type before their sum joins the total: keeps the error of a long float32 sum down.
constexpr std::int64_t block = 128;

template <class T>
T start_of(Op op) {
  return op == Op::max ? -std::numeric_limits<T>::infinity() : T{0};
}

/// Joins y and x, element by element, into y.
template <class T>
void join(Op op, const T* x, T* y, std::int64_t n) {
  if (op == Op::max) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) y[i] = maximum_of(x[i], y[i]);
  } else {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) y[i] += x[i];
  }
}

/// Reduces n neighbours to one value.
template <class T>
T reduce_line(Op op, const T* x, std::int64_t n) {
  if (n == 0) return start_of<T>(op);
  if (op == Op::max) return ConstArray<T>(x, n).template maxCoeff<Eigen::PropagateNaN>();
  double total = 0;
  constexpr std::int64_t step = block * 16;
  for (std::int64_t i = 0; i < n; i += step) {
    total += static_cast<double>(ConstArray<T>(x + i, std::min(step, n - i)).sum());
  }
  return static_cast<T>(total);
}

/// Reduces `rows` rows of `inner` elements to one row y; `scratch` holds another.
template <class T>
void reduce_rows(Op op, const T* x, std::int64_t rows, std::int64_t inner, T* y, T* scratch) {
  if (inner == 1) {
    *y = reduce_line(op, x, rows);
    return;
  }
  std::fill_n(y, inner, start_of<T>(op));
  for (std::int64_t first = 0; first < rows; first += block) {
    std::fill_n(scratch, inner, start_of<T>(op));
    for (std::int64_t row = first; row < std::min(rows, first + block); ++row)
      join(op, x + row * inner, scratch, inner);
    join(op, scratch, y, inner);
  }
}

/// Elements from one thread's rows in the workspace to the next one's: whole cache lines.
std::int64_t padded(std::int64_t inner) { return (inner + line - 1) / line * line; }

template <class T>
Prepared prepare_collapsed(const Request& request, const ReductionShape& s) {
  const Op op = request.operation.op;
  const std::int64_t elements = s.outer * s.reduced * s.inner;
  const int threads = threads_for(static_cast<double>(elements) * cost_of_move, request.target.threads);
  const std::int64_t pitch = padded(s.inner);
  // With one result row the reduced rows are split and each thread fills a partial row; else the result rows are.
  const bool split_rows = s.outer == 1;
  const T scale = op == Op::mean ? T{1} / static_cast<T>(s.reduced) : T{1};
  const std::size_t workspace = static_cast<std::size_t>(threads * 2 * pitch) * sizeof(T);
  return answer(request, "eigen", static_cast<double>(elements), threads, workspace,
                [=](std::span<const View> in, std::span<const View> out, Context& context) {
                  const T* x = in[0].as<const T>();
                  T* y = out[0].as<T>();
                  T* rows = reinterpret_cast<T*>(context.workspace);
                  parallel_parts(threads, [&](int part) {
                    T* partial = rows + part * 2 * pitch;
                    T* scratch = partial + pitch;
                    if (split_rows) {
                      const Range range = range_of(s.reduced, part, threads, s.inner == 1 ? line : 1);
                      reduce_rows(op, x + range.begin * s.inner, range.end - range.begin, s.inner, partial, scratch);
                      return;
                    }
                    const Range range = range_of(s.outer, part, threads);
                    for (std::int64_t i = range.begin; i < range.end; ++i) {
                      reduce_rows(op, x + i * s.reduced * s.inner, s.reduced, s.inner, y + i * s.inner, scratch);
                    }
                  });
                  if (split_rows) {
                    std::copy_n(rows, s.inner, y);
                    for (int part = 1; part < threads; ++part) join(op, rows + part * 2 * pitch, y, s.inner);
                  }
                  if (op != Op::mean) return;
                  for (std::int64_t i = 0; i < s.outer * s.inner; ++i) y[i] *= scale;
                });
}

}  // namespace

Prepared prepare_reduction(const Request& request) {
  require_count(request, 1, 1);
  const Shape& full = request.in[0].shape;
  require_shape("reduction", without_axes(full, request.attributes().axes), request.out[0].shape);
  ReductionShape s;
  if (!collapse_axes(full, request.attributes().axes, s)) throw Unsupported("the reduced axes are not neighbours");
  return visit_float(request.in[0], [&](auto zero) { return prepare_collapsed<decltype(zero)>(request, s); });
}

Prepared prepare_argmax(const Request& request) {
  require_count(request, 1, 1);
  const Shape& x_shape = request.in[0].shape;
  if (x_shape.rank() != 2 || x_shape[1] == 0) throw Unsupported("expected a matrix, found " + to_string(x_shape));
  require_shape("argmax", Shape{x_shape[0]}, request.out[0].shape);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return rows_answer(request, x_shape[0], x_shape[1], cost_of_move,
                       [width = x_shape[1]](std::span<const View> in, std::span<const View> out, std::int64_t begin,
                                            std::int64_t end) {
                         for (std::int64_t i = begin; i < end; ++i) {
                           out[0].as<std::int32_t>()[i] =
                               static_cast<std::int32_t>(index_of_maximum(in[0].as<const T>() + i * width, width));
                         }
                       });
  });
}

}  // namespace assay::engine::eigen
