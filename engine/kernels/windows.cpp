#include "engine/kernels/windows.hpp"

#include <algorithm>

namespace assay::engine {
namespace {

void require_rank4(std::string_view what, const Shape& shape) {
  if (shape.rank() != 4) throw Unsupported(std::string(what) + ": expected 4 dimensions, found " + to_string(shape));
}

}  // namespace

Axis window_axis(std::int64_t in, std::int64_t size, std::int64_t stride, Padding padding) {
  if (size < 1 || stride < 1) throw Unsupported("window and stride must be at least 1");
  Axis axis{in, 0, size, stride, 0};
  if (padding == Padding::valid) {
    axis.out = in < size ? 0 : (in - size) / stride + 1;
  } else {
    axis.out = (in + stride - 1) / stride;
    axis.before = std::max<std::int64_t>(0, (axis.out - 1) * stride + size - in) / 2;
  }
  return axis;
}

Convolution convolution(const Attributes& attributes, const Shape& x, const Shape& w, const Shape& result) {
  require_rank4("images", x);
  require_rank4("weights", w);
  if (x[3] != w[2])
    throw Unsupported("images of " + to_string(x) + " and weights of " + to_string(w) + ": channels differ");
  const Convolution shape{x[0], w[2], w[3], window_axis(x[1], w[0], attributes.stride, attributes.padding),
                          window_axis(x[2], w[1], attributes.stride, attributes.padding)};
  require_shape("convolution", Shape{shape.n, shape.y.out, shape.x.out, shape.o}, result);
  return shape;
}

Convolution pooling(const Attributes& attributes, const Shape& x, const Shape& result) {
  require_rank4("images", x);
  const Convolution shape{x[0], x[3], x[3], window_axis(x[1], attributes.window, attributes.stride, attributes.padding),
                          window_axis(x[2], attributes.window, attributes.stride, attributes.padding)};
  require_shape("pooling", Shape{shape.n, shape.y.out, shape.x.out, shape.c}, result);
  return shape;
}

}  // namespace assay::engine
