#include "engine/kernels/eigen/gemm.hpp"

#include <Eigen/Core>
#include <algorithm>

namespace assay::engine::eigen {
namespace {

/// Eigen's blocking with buffers that it did not allocate.
template <class T>
struct BorrowedBlocking : Eigen::internal::level3_blocking<T, T> {
  BorrowedBlocking(T* a, T* b, Eigen::Index kc, Eigen::Index mc, Eigen::Index nc) {
    this->m_blockA = a;
    this->m_blockB = b;
    this->m_kc = kc;
    this->m_mc = mc;
    this->m_nc = nc;
  }
};

std::size_t whole_lines(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

template <class T, int left_order, int right_order>
void run(Eigen::Index rows, Eigen::Index columns, Eigen::Index depth, const T* left, Eigen::Index left_stride,
         const T* right, Eigen::Index right_stride, T* result, Eigen::Index stride, BorrowedBlocking<T>& blocking) {
  Eigen::internal::general_matrix_matrix_product<Eigen::Index, T, left_order, false, T, right_order, false,
                                                 Eigen::ColMajor, 1>::run(rows, columns, depth, left, left_stride,
                                                                          right, right_stride, result, 1, stride, T{1},
                                                                          blocking);
}

}  // namespace

template <class T>
Gemm<T>::Gemm(const Product& shape) : shape_(shape) {
  // A row-major result is the transposed product in column-major order: rows and columns, left and right change places.
  Eigen::Index kc = std::max<std::int64_t>(1, shape.k);
  Eigen::Index mc = std::max<std::int64_t>(1, shape.n);
  Eigen::Index nc = std::max<std::int64_t>(1, shape.m);
  Eigen::internal::computeProductBlockingSizes<T, T>(kc, mc, nc, Eigen::Index{1});
  kc_ = kc;
  mc_ = mc;
  nc_ = nc;
}

template <class T>
std::size_t Gemm<T>::left_bytes() const {
  return whole_lines(static_cast<std::size_t>(kc_ * mc_) * sizeof(T));
}

template <class T>
std::size_t Gemm<T>::workspace() const {
  return left_bytes() + whole_lines(static_cast<std::size_t>(kc_ * nc_) * sizeof(T));
}

template <class T>
void Gemm<T>::add(std::int64_t m, std::int64_t n, std::int64_t k, Matrix left, Matrix right, T* result,
                  std::int64_t stride, std::byte* workspace) const {
  constexpr int row_major = Eigen::RowMajor;
  constexpr int column_major = Eigen::ColMajor;
  BorrowedBlocking<T> blocking(reinterpret_cast<T*>(workspace), reinterpret_cast<T*>(workspace + left_bytes()), kc_,
                               mc_, nc_);
  // A row-major matrix read column by column is its transpose.
  const auto product =
      shape_.transpose_right
          ? (shape_.transpose_left ? run<T, row_major, row_major> : run<T, row_major, column_major>)
          : (shape_.transpose_left ? run<T, column_major, row_major> : run<T, column_major, column_major>);
  product(n, m, k, right.data, right.stride, left.data, left.stride, result, stride, blocking);
}

template class Gemm<float>;
template class Gemm<double>;

}  // namespace assay::engine::eigen
