#include "engine/kernels/epilogue.hpp"
#include "engine/kernels/products.hpp"
#include "engine/kernels/reference/families.hpp"

namespace assay::engine::reference {
namespace {

template <class T>
void multiply(const Product& p, const T* left, const T* right, T* result) {
  const std::int64_t left_row = p.transpose_left ? 1 : p.k;
  const std::int64_t left_column = p.transpose_left ? p.m : 1;
  const std::int64_t right_row = p.transpose_right ? 1 : p.n;
  const std::int64_t right_column = p.transpose_right ? p.k : 1;
  for (std::int64_t i = 0; i < p.m; ++i) {
    for (std::int64_t j = 0; j < p.n; ++j) {
      double sum = 0;
      for (std::int64_t q = 0; q < p.k; ++q) {
        sum += static_cast<double>(left[i * left_row + q * left_column]) *
               static_cast<double>(right[q * right_row + j * right_column]);
      }
      result[i * p.n + j] = static_cast<T>(sum);
    }
  }
}

}  // namespace

Prepared prepare_product(const Request& request) {
  const Product shape = product(request);
  const Epilogue finish = epilogue(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return reference_answer(request, shape.flops(), [shape, finish](auto in, auto out, Context&) {
      multiply(shape, in[0].template as<const T>(), in[1].template as<const T>(), out[0].template as<T>());
      finish.apply(in, out[0].template as<T>(), shape.m, shape.n, shape.n);
    });
  });
}

}  // namespace assay::engine::reference
