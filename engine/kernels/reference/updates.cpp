#include "engine/kernels/updates.hpp"

#include <cmath>
#include <cstring>

#include "engine/kernels/reference/families.hpp"

namespace assay::engine::reference {
namespace {

/// A skipped step: every output is its input.
void keep(std::span<const View> in, std::span<const View> out, std::span<const std::size_t> inputs, std::size_t bytes) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].data != in[inputs[i]].data) std::memcpy(out[i].data, in[inputs[i]].data, bytes);
  }
}

constexpr std::array<std::size_t, 2> sgd_inputs{0, 2};
constexpr std::array<std::size_t, 3> adam_inputs{0, 2, 3};

}  // namespace

Prepared prepare_sgd(const Request& request) {
  const std::int64_t n = update_elements(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(
        request, 4.0 * static_cast<double>(n),
        [n, attributes = request.attributes(), rate_type = request.in[3].dtype, apply_type = request.in[4].dtype](
            std::span<const View> in, std::span<const View> out, Context&) {
          if (scalar_value(in[4], apply_type) == 0) {
            keep(in, out, sgd_inputs, static_cast<std::size_t>(n) * sizeof(T));
            return;
          }
          const double rate = scalar_value(in[3], rate_type);
          for (std::int64_t i = 0; i < n; ++i) {
            const double gradient = static_cast<double>(in[1].as<const T>()[i]);
            const double velocity = attributes.momentum * static_cast<double>(in[2].as<const T>()[i]) - rate * gradient;
            const double change = attributes.nesterov ? attributes.momentum * velocity - rate * gradient : velocity;
            out[0].as<T>()[i] = static_cast<T>(static_cast<double>(in[0].as<const T>()[i]) + change);
            out[1].as<T>()[i] = static_cast<T>(velocity);
          }
        });
  });
}

Prepared prepare_adam(const Request& request) {
  const std::int64_t n = update_elements(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(
        request, 12.0 * static_cast<double>(n),
        [n, attributes = request.attributes(), rate_type = request.in[4].dtype, apply_type = request.in[6].dtype](
            std::span<const View> in, std::span<const View> out, Context&) {
          if (scalar_value(in[6], apply_type) == 0) {
            keep(in, out, adam_inputs, static_cast<std::size_t>(n) * sizeof(T));
            return;
          }
          const double size =
              adam_step_size(attributes, scalar_value(in[4], rate_type), *in[5].as<const std::int64_t>());
          for (std::int64_t i = 0; i < n; ++i) {
            const double gradient = static_cast<double>(in[1].as<const T>()[i]);
            const double first = static_cast<double>(in[2].as<const T>()[i]);
            const double second = static_cast<double>(in[3].as<const T>()[i]);
            const double m = first + (1 - attributes.beta1) * (gradient - first);
            const double v = second + (1 - attributes.beta2) * (gradient * gradient - second);
            out[0].as<T>()[i] = static_cast<T>(static_cast<double>(in[0].as<const T>()[i]) -
                                               size * m / (std::sqrt(v) + attributes.epsilon));
            out[1].as<T>()[i] = static_cast<T>(m);
            out[2].as<T>()[i] = static_cast<T>(v);
          }
        });
  });
}

}  // namespace assay::engine::reference
