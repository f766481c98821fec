#include <algorithm>
#include <cmath>

#include "engine/kernels/eigen/arrays.hpp"
#include "engine/kernels/eigen/families.hpp"
#include "engine/kernels/rows.hpp"

namespace assay::engine::eigen {
namespace {

// Rows after which every width has filled whole cache lines: where one thread's share of exp() may end, see `line`.
constexpr std::int64_t whole_vectors = 16;

/// y = exp(x - largest of the row) for rows [begin, end): one vectorised pass over all rows, which may be narrow.
/// before(row, largest) sees each row before it is overwritten.
template <class T, class Before>
void shifted_exp(const T* x, T* y, std::int64_t width, std::int64_t begin, std::int64_t end, Before&& before) {
  for (std::int64_t row = begin; row < end; ++row) {
    const T* from = x + row * width;
    T* to = y + row * width;
    T largest = from[0];
    for (std::int64_t j = 1; j < width; ++j) largest = from[j] > largest ? from[j] : largest;
    before(row, largest);
#pragma GCC ivdep
    for (std::int64_t j = 0; j < width; ++j) to[j] = from[j] - largest;
  }
  Array<T> all(y + begin * width, (end - begin) * width);
  all = all.exp();
}

/// Divides each row by its sum; after(row, sum).
template <class T, class After>
void normalise(T* y, std::int64_t width, std::int64_t begin, std::int64_t end, After&& after) {
  for (std::int64_t row = begin; row < end; ++row) {
    T* values = y + row * width;
    T sum = 0;
    for (std::int64_t j = 0; j < width; ++j) sum += values[j];
    const T scale = T{1} / sum;
#pragma GCC ivdep
    for (std::int64_t j = 0; j < width; ++j) values[j] *= scale;
    after(row, sum);
  }
}

}  // namespace

Prepared prepare_softmax(const Request& request) {
  require_count(request, 1, 1);
  require_shape("result", request.in[0].shape, request.out[0].shape);
  const Rows rows = rows_of(request.in[0].shape);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return rows_answer(
        request, rows.count, rows.width, cost_of_exp,
        [width = rows.width](std::span<const View> in, std::span<const View> out, std::int64_t begin,
                             std::int64_t end) {
          T* y = out[0].as<T>();
          shifted_exp(in[0].as<const T>(), y, width, begin, end, [](std::int64_t, T) {});
          normalise(y, width, begin, end, [](std::int64_t, T) {});
        },
        whole_vectors);
  });
}

Prepared prepare_softmax_gradient(const Request& request) {
  require_count(request, 2, 1);
  require_shape("output of softmax", request.in[0].shape, request.in[1].shape);
  const Rows rows = rows_of(request.in[0].shape);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return rows_answer(request, rows.count, rows.width, cost_of_move,
                       [width = rows.width](std::span<const View> in, std::span<const View> out, std::int64_t begin,
                                            std::int64_t end) {
                         for (std::int64_t row = begin; row < end; ++row) {
                           const ConstArray<T> dy(in[0].as<const T>() + row * width, width);
                           const ConstArray<T> y(in[1].as<const T>() + row * width, width);
                           const T dot = (dy * y).sum();
                           Array<T>(out[0].as<T>() + row * width, width) = y * (dy - dot);
                         }
                       });
  });
}

Prepared prepare_softmax_cross_entropy(const Request& request) {
  const Rows rows = cross_entropy_rows(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return rows_answer(
        request, rows.count, rows.width, cost_of_exp,
        [width = rows.width](std::span<const View> in, std::span<const View> out, std::int64_t begin,
                             std::int64_t end) {
          const T* logits = in[0].as<const T>();
          const std::int32_t* labels = in[1].as<const std::int32_t>();
          T* losses = out[0].as<T>();
          T* probabilities = out[1].as<T>();
          // loss = log(sum of exp(x - largest)) - (x[label] - largest)
          shifted_exp(logits, probabilities, width, begin, end, [&](std::int64_t row, T largest) {
            losses[row] = largest - logit_of(logits + row * width, labels[row], width);
          });
          normalise(probabilities, width, begin, end, [&](std::int64_t row, T sum) { losses[row] += std::log(sum); });
        },
        whole_vectors);
  });
}

Prepared prepare_softmax_cross_entropy_gradient(const Request& request) {
  const Rows rows = cross_entropy_rows(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return rows_answer(request, rows.count, rows.width, cost_of_move,
                       [width = rows.width](std::span<const View> in, std::span<const View> out, std::int64_t begin,
                                            std::int64_t end) {
                         const T* dloss = in[0].as<const T>();
                         const std::int32_t* labels = in[2].as<const std::int32_t>();
                         for (std::int64_t row = begin; row < end; ++row) {
                           const T* probabilities = in[1].as<const T>() + row * width;
                           T* dlogits = out[0].as<T>() + row * width;
#pragma GCC ivdep
                           for (std::int64_t j = 0; j < width; ++j) {
                             dlogits[j] = dloss[row] * (probabilities[j] - (j == labels[row] ? T{1} : T{0}));
                           }
                         }
                       });
  });
}

}  // namespace assay::engine::eigen
