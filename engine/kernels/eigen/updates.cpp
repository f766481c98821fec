#include "engine/kernels/updates.hpp"

#include <algorithm>
#include <cstring>

#include "engine/kernels/eigen/arrays.hpp"
#include "engine/kernels/eigen/families.hpp"

namespace assay::engine::eigen {
namespace {

// Elements updated at a time: the passes over a chunk of each tensor hit the first-level cache.
constexpr std::int64_t chunk = 1024;

/// A skipped step: outputs that do not alias their input become copies of it.
template <class T, std::size_t outputs>
void keep(std::span<const View> in, std::span<const View> out, const std::array<std::size_t, outputs>& inputs,
          std::int64_t begin, std::int64_t end) {
  for (std::size_t i = 0; i < outputs; ++i) {
    if (out[i].data == in[inputs[i]].data) continue;
    const T* from = in[inputs[i]].template as<const T>();
    std::copy(from + begin, from + end, out[i].template as<T>() + begin);
  }
}

/// fn(first, count) over [begin, end) in chunks.
template <class Fn>
void each_chunk(std::int64_t begin, std::int64_t end, Fn&& fn) {
  for (std::int64_t first = begin; first < end; first += chunk) fn(first, std::min(chunk, end - first));
}

}  // namespace

Prepared prepare_sgd(const Request& request) {
  const std::int64_t n = update_elements(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return loop_answer(
        request, n, cost_of_exp,
        [attributes = request.attributes(), rate_type = request.in[3].dtype, apply_type = request.in[4].dtype](
            std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
          if (scalar_value(in[4], apply_type) == 0) {
            keep<T, 2>(in, out, {0, 2}, begin, end);
            return;
          }
          const auto rate = static_cast<T>(scalar_value(in[3], rate_type));
          const auto momentum = static_cast<T>(attributes.momentum);
          each_chunk(begin, end, [&](std::int64_t first, std::int64_t count) {
            const ConstArray<T> parameter(in[0].as<const T>() + first, count);
            const ConstArray<T> gradient(in[1].as<const T>() + first, count);
            Array<T> velocity(out[1].as<T>() + first, count);
            Array<T> updated(out[0].as<T>() + first, count);
            velocity = momentum * ConstArray<T>(in[2].as<const T>() + first, count) - rate * gradient;
            if (attributes.nesterov) {
              updated = parameter + (momentum * velocity - rate * gradient);
            } else {
              updated = parameter + velocity;
            }
          });
        });
  });
}

Prepared prepare_adam(const Request& request) {
  const std::int64_t n = update_elements(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return loop_answer(
        request, n, cost_of_exp,
        [attributes = request.attributes(), rate_type = request.in[4].dtype, apply_type = request.in[6].dtype](
            std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
          if (scalar_value(in[6], apply_type) == 0) {
            keep<T, 3>(in, out, {0, 2, 3}, begin, end);
            return;
          }
          const auto size = static_cast<T>(
              adam_step_size(attributes, scalar_value(in[4], rate_type), *in[5].as<const std::int64_t>()));
          const auto first_rate = static_cast<T>(1 - attributes.beta1);
          const auto second_rate = static_cast<T>(1 - attributes.beta2);
          const auto epsilon = static_cast<T>(attributes.epsilon);
          each_chunk(begin, end, [&](std::int64_t first, std::int64_t count) {
            const ConstArray<T> gradient(in[1].as<const T>() + first, count);
            const ConstArray<T> old_m(in[2].as<const T>() + first, count);
            const ConstArray<T> old_v(in[3].as<const T>() + first, count);
            Array<T> m(out[1].as<T>() + first, count);
            Array<T> v(out[2].as<T>() + first, count);
            m = old_m + first_rate * (gradient - old_m);
            v = old_v + second_rate * (gradient.square() - old_v);
            Array<T>(out[0].as<T>() + first, count) =
                ConstArray<T>(in[0].as<const T>() + first, count) - size * m / (v.sqrt() + epsilon);
          });
        });
  });
}

}  // namespace assay::engine::eigen
