#pragma once
#include <algorithm>
#include <cstdint>

#include "engine/kernels/request.hpp"

namespace assay::engine {

/// One spatial axis of a convolution or pooling: `out` windows of `size` cells every `stride` cells of `in`, the first
/// starting `before` cells ahead of the input.
struct Axis {
  std::int64_t in = 0, out = 0, size = 0, stride = 1, before = 0;

  /// The cells [first, last) of window `o` that lie inside the input, counted from the window's start.
  std::int64_t first(std::int64_t o) const { return std::max<std::int64_t>(0, before - o * stride); }
  std::int64_t last(std::int64_t o) const { return std::min(size, in + before - o * stride); }
  /// Input cell of cell `k` of window `o`.
  std::int64_t cell(std::int64_t o, std::int64_t k) const { return o * stride + k - before; }
  /// Cells that the windows reach past the end of the input.
  std::int64_t after() const { return std::max<std::int64_t>(0, (out - 1) * stride + size - in - before); }
};

/// `same` pads as TensorFlow does: out = ceil(in / stride), the odd cell at the end.
Axis window_axis(std::int64_t in, std::int64_t size, std::int64_t stride, Padding padding);

/// A convolution in numbers: x [n, y.in, x.in, c], w [y.size, x.size, c, o], result [n, y.out, x.out, o].
struct Convolution {
  std::int64_t n = 0, c = 0, o = 0;
  Axis y, x;

  std::int64_t patch() const { return y.size * x.size * c; }
  std::int64_t pixels() const { return y.out * x.out; }
  std::int64_t image() const { return y.in * x.in * c; }
  double flops() const { return 2.0 * static_cast<double>(n * pixels() * patch() * o); }
};

/// From the shapes of x and w; throws Unsupported where those and `result` do not fit together.
Convolution convolution(const Attributes& attributes, const Shape& x, const Shape& w, const Shape& result);

/// Pooling in numbers, the same with c channels and no weights; result [n, y.out, x.out, c].
Convolution pooling(const Attributes& attributes, const Shape& x, const Shape& result);

}  // namespace assay::engine
