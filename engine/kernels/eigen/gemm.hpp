#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/kernels/products.hpp"

namespace assay::engine::eigen {

/// Eigen's matrix product on one thread, with its packing buffers in memory of ours: planned once, it never allocates.
template <class T>
class Gemm {
 public:
  /// For products of at most this size; `shape` says how the factors are stored.
  explicit Gemm(const Product& shape);

  /// Bytes of packing buffer that one caller needs, a multiple of 64.
  std::size_t workspace() const;

  /// A row-major matrix: where it starts and how far apart its rows are.
  struct Matrix {
    const T* data;
    std::int64_t stride;
  };

  /// result [m,n] += left times right, for m and n up to those planned and any k.
  void add(std::int64_t m, std::int64_t n, std::int64_t k, Matrix left, Matrix right, T* result, std::int64_t stride,
           std::byte* workspace) const;

 private:
  std::size_t left_bytes() const;

  Product shape_;
  std::int64_t kc_, mc_, nc_;  // block sizes of Goto's algorithm, in terms of the transposed product that Eigen sees
};

extern template class Gemm<float>;
extern template class Gemm<double>;

}  // namespace assay::engine::eigen
