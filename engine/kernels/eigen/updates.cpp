#include "engine/kernels/updates.hpp"

#include <algorithm>
#include <cmath>

#include "engine/kernels/eigen/arrays.hpp"
#include "engine/kernels/eigen/families.hpp"

namespace assay::engine::eigen {
namespace {

// Elements updated at a time: the passes over a chunk of each tensor hit the first-level cache.
constexpr std::int64_t chunk = 1024;

/// The elements of all parameters as one range, each parameter from a whole cache line on.
struct Flat {
  std::vector<std::int64_t> elements, starts;
  std::int64_t total = 0;

  explicit Flat(const Request& request) : elements(update_elements(request)) {
    for (const std::int64_t n : elements) {
      starts.push_back(total);
      total += (n + line - 1) / line * line;
    }
  }
  std::size_t parameters() const { return elements.size(); }

  /// fn(parameter, first, count) for the elements of [begin, end), in chunks.
  template <class Fn>
  void each_chunk(std::int64_t begin, std::int64_t end, Fn&& fn) const {
    for (std::size_t p = 0; p < elements.size(); ++p) {
      const std::int64_t last = std::min(end - starts[p], elements[p]);
      for (std::int64_t first = std::max<std::int64_t>(0, begin - starts[p]); first < last; first += chunk)
        fn(p, first, std::min(chunk, last - first));
    }
  }
};

/// A skipped step: an output that does not alias its input becomes a copy of it.
template <class T>
void keep(const View& in, const View& out, std::int64_t first, std::int64_t count) {
  if (out.data != in.data) std::copy_n(in.as<const T>() + first, count, out.as<T>() + first);
}

}  // namespace

Prepared prepare_sgd(const Request& request) {
  Flat flat(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    const auto scalars = request.in.last(2);
    return loop_answer(
        request, flat.total, cost_of_exp,
        [flat, attributes = request.attributes(), rate_type = scalars[0].dtype, apply_type = scalars[1].dtype](
            std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
          const std::size_t n = flat.parameters();
          const auto rate = static_cast<T>(scalar_value(in[3 * n], rate_type));
          const bool skipped = scalar_value(in[3 * n + 1], apply_type) == 0;
          const auto momentum = static_cast<T>(attributes.momentum);
          flat.each_chunk(begin, end, [&](std::size_t p, std::int64_t first, std::int64_t count) {
            if (skipped) {
              keep<T>(in[p], out[p], first, count);
              keep<T>(in[2 * n + p], out[n + p], first, count);
              return;
            }
            const ConstArray<T> parameter(in[p].as<const T>() + first, count);
            const ConstArray<T> gradient(in[n + p].as<const T>() + first, count);
            Array<T> velocity(out[n + p].as<T>() + first, count);
            Array<T> updated(out[p].as<T>() + first, count);
            velocity = momentum * ConstArray<T>(in[2 * n + p].as<const T>() + first, count) - rate * gradient;
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
  Flat flat(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    const auto scalars = request.in.last(3);
    return loop_answer(
        request, flat.total, cost_of_exp,
        [flat, attributes = request.attributes(), rate_type = scalars[0].dtype, apply_type = scalars[2].dtype](
            std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
          const std::size_t n = flat.parameters();
          const bool skipped = scalar_value(in[4 * n + 2], apply_type) == 0;
          const auto size = static_cast<T>(
              adam_step_size(attributes, scalar_value(in[4 * n], rate_type), *in[4 * n + 1].as<const std::int64_t>()));
          const auto first_rate = static_cast<T>(1 - attributes.beta1);
          const auto second_rate = static_cast<T>(1 - attributes.beta2);
          const auto epsilon = static_cast<T>(attributes.epsilon);
          flat.each_chunk(begin, end, [=](std::size_t p, std::int64_t first, std::int64_t count) {
            if (skipped) {
              for (std::size_t list = 0; list < 3; ++list)
                keep<T>(in[(list == 0 ? 0 : list + 1) * n + p], out[list * n + p], first, count);
              return;
            }
            const T* parameter = in[p].as<const T>() + first;
            const T* gradient = in[n + p].as<const T>() + first;
            const T* old_m = in[2 * n + p].as<const T>() + first;
            const T* old_v = in[3 * n + p].as<const T>() + first;
            // Outputs may lie where inputs do: no element depends on another.
            T* updated = out[p].as<T>() + first;
            T* m = out[n + p].as<T>() + first;
            T* v = out[2 * n + p].as<T>() + first;
#pragma GCC ivdep
            for (std::int64_t i = 0; i < count; ++i) {
              const T new_m = old_m[i] + first_rate * (gradient[i] - old_m[i]);
              const T new_v = old_v[i] + second_rate * (gradient[i] * gradient[i] - old_v[i]);
              updated[i] = parameter[i] - size * new_m / (std::sqrt(new_v) + epsilon);
              m[i] = new_m;
              v[i] = new_v;
            }
          });
        });
  });
}

}  // namespace assay::engine::eigen
