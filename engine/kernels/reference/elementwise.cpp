#include <algorithm>
#include <cmath>

#include "engine/core/convert.hpp"
#include "engine/kernels/maximum.hpp"
#include "engine/kernels/reference/families.hpp"

namespace assay::engine::reference {
namespace {

/// Every type that counts or computes: floats, and integers for counters and labels.
template <class Visit>
Prepared visit_number(const TensorType& type, Visit&& visit) {
  return visit_dtype(type.dtype, [&](auto zero) -> Prepared {
    using T = decltype(zero);
    if constexpr (is_narrow_type<T>) {
      throw Unsupported("no kernel computes in " + std::string(name(type.dtype)) + "; cast to float32 first");
    } else {
      return visit(zero);
    }
  });
}

double unary_value(Op op, double x, double scalar) {
  switch (op) {
    case Op::relu:
      return x > 0 || x != x ? x : 0;
    case Op::negate:
      return -x;
    case Op::exp:
      return std::exp(x);
    case Op::log:
      return std::log(x);
    case Op::sqrt:
      return std::sqrt(x);
    case Op::square:
      return x * x;
    case Op::tanh:
      return std::tanh(x);
    case Op::scale:
      return x * scalar;
    case Op::add_scalar:
      return x + scalar;
    default:
      throw Unsupported(std::string(name(op)) + " is no function of one value");
  }
}

double binary_value(Op op, double a, double b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::maximum:
      return maximum_of(a, b);
    default:
      throw Unsupported(std::string(name(op)) + " is no function of two values");
  }
}

/// 1 where b is a single value, which then meets every element of a; else 0.
std::int64_t step_of(const Request& request) {
  const Shape& a = request.in[0].shape;
  const Shape& b = request.in[1].shape;
  if (request.in[0].dtype != request.in[1].dtype) {
    throw Unsupported("operands of " + std::string(name(request.in[0].dtype)) + " and " +
                      std::string(name(request.in[1].dtype)));
  }
  require_shape("result", a, request.out[0].shape);
  if (a == b) return 1;
  if (b.elements() == 1) return 0;
  throw Unsupported("operands of " + to_string(a) + " and " + to_string(b) +
                    ": expected one shape, or a scalar second");
}

}  // namespace

Prepared prepare_unary(const Request& request) {
  require_count(request, 1, 1);
  require_shape("result", request.in[0].shape, request.out[0].shape);
  const Op op = request.operation.op;
  const double scalar = request.attributes().scalar;
  const std::int64_t n = request.in[0].shape.elements();
  return visit_number(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      if (op != Op::add_scalar) throw Unsupported("integers only count (add_scalar); cast to float32 first");
    }
    return reference_answer(request, static_cast<double>(n), [=](auto in, auto out, Context&) {
      const T* x = in[0].template as<const T>();
      T* y = out[0].template as<T>();
      for (std::int64_t i = 0; i < n; ++i) {
        if constexpr (std::is_integral_v<T>) {
          y[i] = static_cast<T>(x[i] + static_cast<T>(scalar));
        } else {
          y[i] = static_cast<T>(unary_value(op, static_cast<double>(x[i]), scalar));
        }
      }
    });
  });
}

Prepared prepare_binary(const Request& request) {
  require_count(request, 2, 1);
  const std::int64_t step = step_of(request);
  const Op op = request.operation.op;
  const std::int64_t n = request.in[0].shape.elements();
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, static_cast<double>(n), [=](auto in, auto out, Context&) {
      const T* a = in[0].template as<const T>();
      const T* b = in[1].template as<const T>();
      T* y = out[0].template as<T>();
      for (std::int64_t i = 0; i < n; ++i) {
        y[i] = static_cast<T>(binary_value(op, static_cast<double>(a[i]), static_cast<double>(b[i * step])));
      }
    });
  });
}

Prepared prepare_equal(const Request& request) {
  require_count(request, 2, 1);
  const std::int64_t step = step_of(request);
  const std::int64_t n = request.in[0].shape.elements();
  return visit_number(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    using Result = std::conditional_t<std::is_same_v<T, double>, double, float>;
    if (request.out[0].dtype != (std::is_same_v<T, double> ? DType::float64 : DType::float32)) {
      throw Unsupported("the result is float32, or float64 where the operands are");
    }
    return reference_answer(request, static_cast<double>(n), [=](auto in, auto out, Context&) {
      const T* a = in[0].template as<const T>();
      const T* b = in[1].template as<const T>();
      Result* y = out[0].template as<Result>();
      for (std::int64_t i = 0; i < n; ++i) y[i] = a[i] == b[i * step] ? Result{1} : Result{0};
    });
  });
}

Prepared prepare_relu_gradient(const Request& request) {
  require_count(request, 2, 1);
  require_shape("output of relu", request.in[0].shape, request.in[1].shape);
  const std::int64_t n = request.in[0].shape.elements();
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, static_cast<double>(n), [n](auto in, auto out, Context&) {
      const T* dy = in[0].template as<const T>();
      const T* y = in[1].template as<const T>();
      T* dx = out[0].template as<T>();
      for (std::int64_t i = 0; i < n; ++i) dx[i] = y[i] <= 0 ? T{0} : dy[i];
    });
  });
}

Prepared prepare_add_bias(const Request& request) {
  require_count(request, 2, 1);
  const Shape& x = request.in[0].shape;
  if (x.rank() == 0) throw Unsupported("a scalar has no channels");
  require_shape("bias", Shape{x[-1]}, request.in[1].shape);
  const std::int64_t channels = x[-1];
  const std::int64_t n = x.elements();
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, static_cast<double>(n), [=](auto in, auto out, Context&) {
      const T* values = in[0].template as<const T>();
      const T* bias = in[1].template as<const T>();
      T* y = out[0].template as<T>();
      for (std::int64_t i = 0; i < n; ++i) y[i] = values[i] + bias[i % channels];
    });
  });
}

Prepared prepare_cast(const Request& request) {
  require_count(request, 1, 1);
  require_shape("result", request.in[0].shape, request.out[0].shape);
  if (request.out[0].dtype != request.attributes().dtype) {
    throw Unsupported("result of " + std::string(name(request.out[0].dtype)) + " where attributes say " +
                      std::string(name(request.attributes().dtype)));
  }
  const std::int64_t n = request.in[0].shape.elements();
  return visit_dtype(request.in[0].dtype, [&](auto from) {
    using From = decltype(from);
    return visit_dtype(request.out[0].dtype, [&](auto to) {
      using To = decltype(to);
      return reference_answer(request, 0, [n](auto in, auto out, Context&) {
        const From* x = in[0].template as<const From>();
        To* y = out[0].template as<To>();
        for (std::int64_t i = 0; i < n; ++i) y[i] = convert<To>(x[i]);
      });
    });
  });
}

}  // namespace assay::engine::reference
