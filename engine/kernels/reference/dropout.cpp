#include "engine/kernels/dropout.hpp"
#include "engine/core/random.hpp"
#include "engine/kernels/reference/families.hpp"

namespace assay::engine::reference {

Prepared prepare_dropout(const Request& request) {
  const double rate = dropout_rate(request);
  const std::int64_t n = request.in[0].shape.elements();
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, static_cast<double>(n), [=](auto in, auto out, Context&) {
      const T* x = in[0].template as<const T>();
      const auto* key = in[1].template as<const std::int64_t>();
      T* y = out[0].template as<T>();
      std::uint8_t* mask = out[1].template as<std::uint8_t>();
      for (std::int64_t i = 0; i < n; ++i) {
        const float draw = uniform(static_cast<std::uint64_t>(key[0]), static_cast<std::uint64_t>(key[1]),
                                   static_cast<std::uint64_t>(i));
        mask[i] = static_cast<double>(draw) >= rate ? 1 : 0;
        y[i] = mask[i] ? static_cast<T>(static_cast<double>(x[i]) / (1 - rate)) : T{0};
      }
    });
  });
}

Prepared prepare_dropout_gradient(const Request& request) {
  const double rate = dropout_rate(request);
  const std::int64_t n = request.in[0].shape.elements();
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, static_cast<double>(n), [=](auto in, auto out, Context&) {
      const T* dy = in[0].template as<const T>();
      const std::uint8_t* mask = in[1].template as<const std::uint8_t>();
      T* dx = out[0].template as<T>();
      for (std::int64_t i = 0; i < n; ++i) {
        dx[i] = mask[i] ? static_cast<T>(static_cast<double>(dy[i]) / (1 - rate)) : T{0};
      }
    });
  });
}

}  // namespace assay::engine::reference
