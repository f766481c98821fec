#include "engine/kernels/dropout.hpp"

#include <algorithm>

#include "engine/core/random.hpp"
#include "engine/kernels/eigen/families.hpp"

namespace assay::engine::eigen {

Prepared prepare_dropout(const Request& request) {
  const double rate = dropout_rate(request);
  static_assert(line == uniform_run, "a thread's share starts on a whole run of random numbers");
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return loop_answer(request, request.in[0].shape.elements(), cost_of_exp,
                       [rate = static_cast<float>(rate), scale = static_cast<T>(1 / (1 - rate))](
                           std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
                         const T* x = in[0].as<const T>();
                         const auto* key = in[1].as<const std::int64_t>();
                         T* y = out[0].as<T>();
                         std::uint8_t* mask = out[1].as<std::uint8_t>();
                         std::array<float, uniform_run> draws{};
                         for (std::int64_t first = begin; first < end; first += uniform_run) {
                           uniform_run_at(static_cast<std::uint64_t>(key[0]), static_cast<std::uint64_t>(key[1]),
                                          static_cast<std::uint64_t>(first), draws);
                           const std::int64_t count = std::min<std::int64_t>(uniform_run, end - first);
#pragma GCC ivdep
                           for (std::int64_t i = 0; i < count; ++i) {
                             const bool keep = draws[static_cast<std::size_t>(i)] >= rate;
                             mask[first + i] = keep ? 1 : 0;
                             y[first + i] = keep ? x[first + i] * scale : T{0};
                           }
                         }
                       });
  });
}

Prepared prepare_dropout_gradient(const Request& request) {
  const double rate = dropout_rate(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return loop_answer(request, request.in[0].shape.elements(), cost_of_move,
                       [scale = static_cast<T>(1 / (1 - rate))](std::span<const View> in, std::span<const View> out,
                                                                std::int64_t begin, std::int64_t end) {
                         const T* dy = in[0].as<const T>();
                         const std::uint8_t* mask = in[1].as<const std::uint8_t>();
                         T* dx = out[0].as<T>();
#pragma GCC ivdep
                         for (std::int64_t i = begin; i < end; ++i) dx[i] = mask[i] != 0 ? dy[i] * scale : T{0};
                       });
  });
}

}  // namespace assay::engine::eigen
