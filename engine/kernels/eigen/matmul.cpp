#include <Eigen/Core>
#include <algorithm>

#include "engine/kernels/eigen/families.hpp"
#include "engine/kernels/eigen/gemm.hpp"
#include "engine/kernels/epilogue.hpp"

namespace assay::engine::eigen {
namespace {

template <class T>
using Vector = Eigen::Matrix<T, 1, Eigen::Dynamic>;
template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A product of a row vector: memory-bound, so no packing. Columns [begin, end) of [1,k] times [k,n] (or [n,k]
/// transposed).
template <class T>
void row_times_matrix(const Product& p, const T* left, const T* right, T* result, Range columns) {
  const Eigen::Map<const Vector<T>> x(left, p.k);
  const std::int64_t width = columns.end - columns.begin;
  Eigen::Map<Vector<T>> y(result + columns.begin, width);
  const Eigen::OuterStride<> stride(p.transpose_right ? p.k : p.n);
  if (p.transpose_right) {
    const Eigen::Map<const RowMajor<T>, 0, Eigen::OuterStride<>> w(right + columns.begin * p.k, width, p.k, stride);
    y.noalias() = x * w.transpose();
  } else {
    const Eigen::Map<const RowMajor<T>, 0, Eigen::OuterStride<>> w(right + columns.begin, p.k, width, stride);
    y.noalias() = x * w;
  }
}

template <class T>
Prepared prepare_vector(const Request& request, const Product& p, const Epilogue& finish) {
  const int threads = threads_for(p.flops(), request.target.threads);
  return answer(request, "eigen", p.flops(), threads, 0,
                [p, threads, finish](std::span<const View> in, std::span<const View> out, Context&) {
                  parallel_parts(threads, [&](int part) {
                    const Range columns = range_of(p.n, part, threads, line);
                    if (columns.begin == columns.end) return;
                    row_times_matrix(p, in[0].as<const T>(), in[1].as<const T>(), out[0].as<T>(), columns);
                    finish.apply(in, out[0].as<T>() + columns.begin, 1, columns.end - columns.begin, p.n,
                                 columns.begin);
                  });
                });
}

/// The tile of the result that one thread computes: a band of rows, or of columns where those are more.
struct Tile {
  Range rows, columns;
};

Tile tile_of(const Product& p, int part, int parts) {
  const Range all_rows{0, p.m};
  const Range all_columns{0, p.n};
  // The grain is a whole number of Eigen's register tiles (4 by up to 48), so that no thread gets a torn one.
  if (p.m >= p.n) return {range_of(p.m, part, parts, 16), all_columns};
  return {all_rows, range_of(p.n, part, parts, 48)};
}

template <class T>
Prepared prepare_matrix(const Request& request, const Product& p, const Epilogue& finish) {
  const int threads = threads_for(p.flops(), request.target.threads);
  Product largest = p;
  largest.m = 0;
  largest.n = 0;
  for (int part = 0; part < threads; ++part) {
    const Tile tile = tile_of(p, part, threads);
    largest.m = std::max(largest.m, tile.rows.end - tile.rows.begin);
    largest.n = std::max(largest.n, tile.columns.end - tile.columns.begin);
  }
  const Gemm<T> gemm(largest);
  const std::size_t bytes = gemm.workspace();
  return answer(
      request, "eigen", p.flops(), threads, bytes * static_cast<std::size_t>(threads),
      [p, threads, gemm, bytes, finish](std::span<const View> in, std::span<const View> out, Context& context) {
        parallel_parts(threads, [&](int part) {
          const auto [rows, columns] = tile_of(p, part, threads);
          const std::int64_t width = columns.end - columns.begin;
          if (rows.begin == rows.end || width == 0) return;
          T* result = out[0].as<T>() + rows.begin * p.n + columns.begin;
          for (std::int64_t i = 0; i < rows.end - rows.begin; ++i) std::fill_n(result + i * p.n, width, T{0});
          const std::int64_t left_stride = p.transpose_left ? p.m : p.k;
          const std::int64_t right_stride = p.transpose_right ? p.k : p.n;
          const T* left = in[0].as<const T>() + rows.begin * (p.transpose_left ? 1 : p.k);
          const T* right = in[1].as<const T>() + columns.begin * (p.transpose_right ? p.k : 1);
          gemm.add(rows.end - rows.begin, width, p.k, {left, left_stride}, {right, right_stride}, result, p.n,
                   context.workspace + bytes * static_cast<std::size_t>(part));
          finish.apply(in, result, rows.end - rows.begin, width, p.n, columns.begin);
        });
      });
}

}  // namespace

Prepared prepare_product(const Request& request) {
  const Product p = product(request);
  const Epilogue finish = epilogue(request);
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    return p.m == 1 && p.k > 0 ? prepare_vector<T>(request, p, finish) : prepare_matrix<T>(request, p, finish);
  });
}

}  // namespace assay::engine::eigen
