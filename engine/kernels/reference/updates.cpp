#include "engine/kernels/updates.hpp"

#include <cmath>
#include <cstring>
#include <numeric>

#include "engine/kernels/reference/families.hpp"

namespace assay::engine::reference {
namespace {

/// A skipped step: an output is its input.
void keep(const View& in, const View& out, std::size_t bytes) {
  if (out.data != in.data) std::memcpy(out.data, in.data, bytes);
}

double sum_of(const std::vector<std::int64_t>& counts) {
  return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
}

}  // namespace

Prepared prepare_sgd(const Request& request) {
  const auto elements = update_elements(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    const auto scalars = request.in.last(2);
    return reference_answer(
        request, 4 * sum_of(elements),
        [elements, attributes = request.attributes(), rate_type = scalars[0].dtype, apply_type = scalars[1].dtype](
            std::span<const View> in, std::span<const View> out, Context&) {
          const std::size_t n = elements.size();
          const double rate = scalar_value(in[3 * n], rate_type);
          const bool skipped = scalar_value(in[3 * n + 1], apply_type) == 0;
          for (std::size_t p = 0; p < n; ++p) {
            const auto count = static_cast<std::size_t>(elements[p]);
            const View &parameter = in[p], &velocity = in[2 * n + p];
            if (skipped) {
              keep(parameter, out[p], count * sizeof(T));
              keep(velocity, out[n + p], count * sizeof(T));
              continue;
            }
            for (std::size_t i = 0; i < count; ++i) {
              const double gradient = static_cast<double>(in[n + p].as<const T>()[i]);
              const double moved =
                  attributes.momentum * static_cast<double>(velocity.as<const T>()[i]) - rate * gradient;
              const double change = attributes.nesterov ? attributes.momentum * moved - rate * gradient : moved;
              out[p].as<T>()[i] = static_cast<T>(static_cast<double>(parameter.as<const T>()[i]) + change);
              out[n + p].as<T>()[i] = static_cast<T>(moved);
            }
          }
        });
  });
}

Prepared prepare_adam(const Request& request) {
  const auto elements = update_elements(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    const auto scalars = request.in.last(3);
    return reference_answer(
        request, 12 * sum_of(elements),
        [elements, attributes = request.attributes(), rate_type = scalars[0].dtype, apply_type = scalars[2].dtype](
            std::span<const View> in, std::span<const View> out, Context&) {
          const std::size_t n = elements.size();
          const double size =
              adam_step_size(attributes, scalar_value(in[4 * n], rate_type), *in[4 * n + 1].as<const std::int64_t>());
          const bool skipped = scalar_value(in[4 * n + 2], apply_type) == 0;
          for (std::size_t p = 0; p < n; ++p) {
            const auto count = static_cast<std::size_t>(elements[p]);
            const View &parameter = in[p], &first = in[2 * n + p], &second = in[3 * n + p];
            if (skipped) {
              keep(parameter, out[p], count * sizeof(T));
              keep(first, out[n + p], count * sizeof(T));
              keep(second, out[2 * n + p], count * sizeof(T));
              continue;
            }
            for (std::size_t i = 0; i < count; ++i) {
              const double gradient = static_cast<double>(in[n + p].as<const T>()[i]);
              const double old_m = static_cast<double>(first.as<const T>()[i]);
              const double old_v = static_cast<double>(second.as<const T>()[i]);
              const double m = old_m + (1 - attributes.beta1) * (gradient - old_m);
              const double v = old_v + (1 - attributes.beta2) * (gradient * gradient - old_v);
              out[p].as<T>()[i] = static_cast<T>(static_cast<double>(parameter.as<const T>()[i]) -
                                                 size * m / (std::sqrt(v) + attributes.epsilon));
              out[n + p].as<T>()[i] = static_cast<T>(m);
              out[2 * n + p].as<T>()[i] = static_cast<T>(v);
            }
          }
        });
  });
}

}  // namespace assay::engine::reference
