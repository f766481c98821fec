#include <algorithm>
#include <cmath>

#include "engine/kernels/reference/families.hpp"
#include "engine/kernels/rows.hpp"

namespace assay::engine::reference {
namespace {

/// Writes the softmax of a row and returns log(sum(exp(x))).
template <class T>
double softmax_row(const T* x, T* y, std::int64_t width) {
  const double largest = static_cast<double>(*std::max_element(x, x + width));
  double sum = 0;
  for (std::int64_t j = 0; j < width; ++j) sum += std::exp(static_cast<double>(x[j]) - largest);
  const double log_sum = largest + std::log(sum);
  for (std::int64_t j = 0; j < width; ++j) y[j] = static_cast<T>(std::exp(static_cast<double>(x[j]) - largest) / sum);
  return log_sum;
}

double flops_of(const Rows& rows) { return 5.0 * static_cast<double>(rows.count * rows.width); }

}  // namespace

Prepared prepare_softmax(const Request& request) {
  require_count(request, 1, 1);
  const Rows rows = rows_of(request.in[0].shape);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, flops_of(rows), [rows](auto in, auto out, Context&) {
      for (std::int64_t i = 0; i < rows.count; ++i) {
        softmax_row(in[0].template as<const T>() + i * rows.width, out[0].template as<T>() + i * rows.width,
                    rows.width);
      }
    });
  });
}

Prepared prepare_softmax_gradient(const Request& request) {
  require_count(request, 2, 1);
  const Rows rows = rows_of(request.in[0].shape);
  require_shape("output of softmax", request.in[0].shape, request.in[1].shape);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, flops_of(rows), [rows](auto in, auto out, Context&) {
      for (std::int64_t i = 0; i < rows.count; ++i) {
        const T* dy = in[0].template as<const T>() + i * rows.width;
        const T* y = in[1].template as<const T>() + i * rows.width;
        T* dx = out[0].template as<T>() + i * rows.width;
        double dot = 0;
        for (std::int64_t j = 0; j < rows.width; ++j) dot += static_cast<double>(dy[j]) * static_cast<double>(y[j]);
        for (std::int64_t j = 0; j < rows.width; ++j) {
          dx[j] = static_cast<T>(static_cast<double>(y[j]) * (static_cast<double>(dy[j]) - dot));
        }
      }
    });
  });
}

Prepared prepare_softmax_cross_entropy(const Request& request) {
  const Rows rows = cross_entropy_rows(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, flops_of(rows), [rows](auto in, auto out, Context&) {
      const T* logits = in[0].template as<const T>();
      const std::int32_t* labels = in[1].template as<const std::int32_t>();
      for (std::int64_t i = 0; i < rows.count; ++i) {
        const double score = static_cast<double>(logit_of(logits + i * rows.width, labels[i], rows.width));
        const double log_sum =
            softmax_row(logits + i * rows.width, out[1].template as<T>() + i * rows.width, rows.width);
        out[0].template as<T>()[i] = static_cast<T>(log_sum - score);
      }
    });
  });
}

Prepared prepare_softmax_cross_entropy_gradient(const Request& request) {
  const Rows rows = cross_entropy_rows(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, flops_of(rows), [rows](auto in, auto out, Context&) {
      const T* dloss = in[0].template as<const T>();
      const T* probabilities = in[1].template as<const T>();
      const std::int32_t* labels = in[2].template as<const std::int32_t>();
      T* dlogits = out[0].template as<T>();
      for (std::int64_t i = 0; i < rows.count; ++i) {
        for (std::int64_t j = 0; j < rows.width; ++j) {
          const T target = j == labels[i] ? T{1} : T{0};
          dlogits[i * rows.width + j] = dloss[i] * (probabilities[i * rows.width + j] - target);
        }
      }
    });
  });
}

}  // namespace assay::engine::reference
