#pragma once
#include "engine/kernels/request.hpp"

namespace assay::engine {

/// What a matrix product or convolution does to its result before it is done: adds a bias to each row, applies a ReLU.
struct Epilogue {
  bool bias = false, relu = false;

  bool any() const { return bias || relu; }

  /// On `rows` rows of `width` elements, `stride` apart, that begin at column `first` of the result.
  template <class T>
  void apply(std::span<const View> in, T* y, std::int64_t rows, std::int64_t width, std::int64_t stride,
             std::int64_t first = 0) const {
    if (!any()) return;
    const T* shift = bias ? in[2].as<const T>() + first : nullptr;
    for (std::int64_t row = 0; row < rows; ++row, y += stride) {
#pragma GCC ivdep
      for (std::int64_t i = 0; i < width; ++i) {
        const T value = bias ? y[i] + shift[i] : y[i];
        y[i] = relu && value < 0 ? T{0} : value;
      }
    }
  }
};

/// Of a request with two inputs, or three with a bias of the result's last dimension. Throws Unsupported.
Epilogue epilogue(const Request& request);

}  // namespace assay::engine
