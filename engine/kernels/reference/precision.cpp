#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/core/convert.hpp"
#include "engine/kernels/float8_scaling.hpp"
#include "engine/kernels/reference/families.hpp"

namespace assay::engine::reference {

Prepared prepare_all_finite(const Request& request) {
  require_count(request, 1, 1);
  require_shape("result", Shape{}, request.out[0].shape);
  if (request.out[0].dtype != DType::float32) throw Unsupported("the result is float32");
  const std::int64_t n = request.in[0].shape.elements();
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, static_cast<double>(n), [n](auto in, auto out, Context&) {
      const T* x = in[0].template as<const T>();
      bool all = true;
      for (std::int64_t i = 0; i < n; ++i) all = all && std::isfinite(x[i]);
      *out[0].template as<float>() = all ? 1.0F : 0.0F;
    });
  });
}

Prepared prepare_quantize(const Request& request) {
  require_count(request, 2, 2);
  require_shape("result", request.in[0].shape, request.out[0].shape);
  const DType format = request.attributes().dtype;
  largest_float8(format);  // throws where it is none
  const std::int64_t n = request.in[0].shape.elements();
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    Prepared prepared = reference_answer(request, static_cast<double>(n), [n, format](auto in, auto out, Context&) {
      const T* x = in[0].template as<const T>();
      T* y = out[0].template as<T>();
      const double scale = *in[1].template as<const float>();
      double most = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const double value = static_cast<double>(x[i]);
        if (std::isfinite(static_cast<float>(value))) most = std::max(most, std::fabs(value));
        // A finite value saturates even where its product with the scale overflows.
        constexpr double end = std::numeric_limits<double>::max();
        const double scaled = std::isfinite(value) ? std::clamp(value * scale, -end, end) : value;
        const float on_grid = format == DType::float8_e4m3 ? to_float(convert<Float8E4M3>(scaled))
                                                           : to_float(convert<Float8E5M2>(scaled));
        y[i] = static_cast<T>(static_cast<double>(on_grid) / scale);
      }
      *out[1].template as<float>() = static_cast<float>(most);
    });
    prepared.info.emulated = true;
    prepared.info.format = format;
    return prepared;
  });
}

Prepared prepare_float8_scale(const Request& request) {
  require_count(request, 1, 1);
  const float most = largest_float8(request.attributes().dtype);
  const std::int64_t n = request.in[0].shape.elements();
  return reference_answer(request, static_cast<double>(n),
                          [n, most](std::span<const View> in, std::span<const View> out, Context&) {
                            *out[0].as<float>() = float8_scale(largest_of(in[0].as<const float>(), n), most);
                          });
}

Prepared prepare_identity(const Request& request) {
  require_count(request, 3, 1);
  require_shape("result", request.in[0].shape, request.out[0].shape);
  if (request.in[0].dtype != request.out[0].dtype) throw Unsupported("two types");
  const std::size_t bytes = request.in[0].bytes();
  return reference_answer(request, 0, [bytes](auto in, auto out, Context&) {
    if (in[0].data != out[0].data) std::memcpy(out[0].data, in[0].data, bytes);
  });
}

}  // namespace assay::engine::reference
