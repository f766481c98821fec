#include <cmath>

#include "engine/core/convert.hpp"
#include "engine/kernels/convert_elements.hpp"
#include "engine/kernels/eigen/arrays.hpp"
#include "engine/kernels/eigen/families.hpp"
#include "engine/kernels/maximum.hpp"

namespace assay::engine::eigen {
namespace {

template <class T>
using Unary = void (*)(ConstArray<T> x, Array<T> y, T scalar);

template <class T>
void rectify(ConstArray<T> x, Array<T> y, T) {
  const T* from = x.data();
  T* to = y.data();
  const std::int64_t n = x.size();
  // In place is allowed: no element depends on another.
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) to[i] = from[i] < 0 ? T{0} : from[i];
}

/// Eigen's own square root of infinity is NaN with AVX-512.
template <class T>
void square_root(ConstArray<T> x, Array<T> y, T) {
  const T* from = x.data();
  T* to = y.data();
  const std::int64_t n = x.size();
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) to[i] = std::sqrt(from[i]);
}

/// The loop of an operation and what an element of it costs.
template <class T>
struct UnaryRow {
  Op op;
  double cost;
  Unary<T> loop;
};

template <class T>
constexpr UnaryRow<T> unary_table[] = {
    {Op::relu, cost_of_move, rectify<T>},
    {Op::negate, cost_of_move, [](ConstArray<T> x, Array<T> y, T) { y = -x; }},
    {Op::exp, cost_of_exp, [](ConstArray<T> x, Array<T> y, T) { y = x.exp(); }},
    {Op::log, cost_of_exp, [](ConstArray<T> x, Array<T> y, T) { y = x.log(); }},
    {Op::sqrt, cost_of_exp, square_root<T>},
    {Op::square, cost_of_move, [](ConstArray<T> x, Array<T> y, T) { y = x.square(); }},
    {Op::tanh, cost_of_exp, [](ConstArray<T> x, Array<T> y, T) { y = x.tanh(); }},
    {Op::scale, cost_of_move, [](ConstArray<T> x, Array<T> y, T scalar) { y = x * scalar; }},
    {Op::add_scalar, cost_of_move, [](ConstArray<T> x, Array<T> y, T scalar) { y = x + scalar; }},
};

template <class T>
using Binary = void (*)(const T* a, const T* b, T* y, std::int64_t n);

/// y[i] = Fn(a[i], b[i]), or Fn(a[i], *b) where b is one value.
template <class T, class Fn, bool scalar>
void combine(const T* a, const T* b, T* y, std::int64_t n) {
  const T only = *b;
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) y[i] = Fn{}(a[i], scalar ? only : b[i]);
}

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return a + b;
  }
};
struct Subtract {
  template <class T>
  T operator()(T a, T b) const {
    return a - b;
  }
};
struct Multiply {
  template <class T>
  T operator()(T a, T b) const {
    return a * b;
  }
};
struct Divide {
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
struct Maximum {
  template <class T>
  T operator()(T a, T b) const {
    return maximum_of(a, b);
  }
};

template <class T>
struct BinaryRow {
  Op op;
  Binary<T> same, with_scalar;
};

template <class T>
constexpr BinaryRow<T> binary_table[] = {
    {Op::add, combine<T, Add, false>, combine<T, Add, true>},
    {Op::subtract, combine<T, Subtract, false>, combine<T, Subtract, true>},
    {Op::multiply, combine<T, Multiply, false>, combine<T, Multiply, true>},
    {Op::divide, combine<T, Divide, false>, combine<T, Divide, true>},
    {Op::maximum, combine<T, Maximum, false>, combine<T, Maximum, true>},
};

template <class Row, std::size_t size>
const Row& row_of(const Row (&table)[size], Op op) {
  for (const Row& row : table) {
    if (row.op == op) return row;
  }
  throw Unsupported("not element-wise");
}

/// Whether b is one value for all; throws Unsupported where the operands do not fit.
bool second_is_scalar(const Request& request) {
  require_count(request, 2, 1);
  const TensorType& a = request.in[0];
  const TensorType& b = request.in[1];
  if (a.dtype != b.dtype) {
    throw Unsupported("operands of " + std::string(name(a.dtype)) + " and " + std::string(name(b.dtype)));
  }
  require_shape("result", a.shape, request.out[0].shape);
  if (a.shape == b.shape) return false;
  if (b.shape.elements() == 1) return true;
  throw Unsupported("operands of " + to_string(a.shape) + " and " + to_string(b.shape) +
                    ": expected one shape, or a scalar second");
}

}  // namespace

Prepared prepare_unary(const Request& request) {
  require_count(request, 1, 1);
  require_shape("result", request.in[0].shape, request.out[0].shape);
  if (request.operation.op == Op::relu && is_narrow(request.in[0].dtype)) return prepare_relu_16(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    const auto& row = row_of(unary_table<T>, request.operation.op);
    return loop_answer(request, request.in[0].shape.elements(), row.cost,
                       [loop = row.loop, scalar = static_cast<T>(request.attributes().scalar)](
                           std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
                         loop(ConstArray<T>(in[0].as<const T>() + begin, end - begin),
                              Array<T>(out[0].as<T>() + begin, end - begin), scalar);
                       });
  });
}

Prepared prepare_binary(const Request& request) {
  const bool scalar = second_is_scalar(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    const auto& row = row_of(binary_table<T>, request.operation.op);
    return loop_answer(request, request.in[0].shape.elements(), cost_of_move,
                       [loop = scalar ? row.with_scalar : row.same, scalar](
                           std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
                         loop(in[0].as<const T>() + begin, in[1].as<const T>() + (scalar ? 0 : begin),
                              out[0].as<T>() + begin, end - begin);
                       });
  });
}

Prepared prepare_equal(const Request& request) {
  const bool scalar = second_is_scalar(request);
  const DType result = request.in[0].dtype == DType::float64 ? DType::float64 : DType::float32;
  if (request.out[0].dtype != result) throw Unsupported("the result is float32, or float64 where the operands are");
  return visit_dtype(request.in[0].dtype, [&](auto zero) -> Prepared {
    using T = decltype(zero);
    using Result = std::conditional_t<std::is_same_v<T, double>, double, float>;
    if constexpr (is_narrow_type<T>) {
      throw Unsupported("no kernel compares " + std::string(name(request.in[0].dtype)) + "; cast to float32 first");
    } else {
      return loop_answer(
          request, request.in[0].shape.elements(), cost_of_move,
          [scalar](std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
            const T* a = in[0].as<const T>();
            const T* b = in[1].as<const T>();
            Result* y = out[0].as<Result>();
            for (std::int64_t i = begin; i < end; ++i) y[i] = a[i] == b[scalar ? 0 : i] ? Result{1} : Result{0};
          });
    }
  });
}

Prepared prepare_cast(const Request& request) {
  require_count(request, 1, 1);
  require_shape("result", request.in[0].shape, request.out[0].shape);
  if (request.out[0].dtype != request.attributes().dtype) {
    throw Unsupported("result of " + std::string(name(request.out[0].dtype)) + " where attributes say " +
                      std::string(name(request.attributes().dtype)));
  }
  const auto from = static_cast<std::int64_t>(size_of(request.in[0].dtype));
  const auto to = static_cast<std::int64_t>(size_of(request.out[0].dtype));
  return loop_answer(request, request.in[0].shape.elements(), cost_of_move,
                     [from, to, loop = convert_loop(request.in[0].dtype, request.out[0].dtype)](
                         std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
                       loop(in[0].data + begin * from, out[0].data + begin * to, end - begin);
                     });
}

}  // namespace assay::engine::eigen
