#include "engine/ops/convolution.hpp"

#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"

namespace assay::engine {
namespace {

/// Output pixels along one axis, as Keras counts them.
std::int64_t extent(std::int64_t size, std::int64_t window, const Attributes& at) {
  return at.padding == Padding::same ? (size + at.stride - 1) / at.stride : (size - window) / at.stride + 1;
}

Types infer_forward(const Attributes& at, std::span<const TensorType> in) {
  expect(in.size() == 2 && in[0].shape.rank() == 4 && in[1].shape.rank() == 4 && in[0].dtype == in[1].dtype &&
             in[0].shape[3] == in[1].shape[2] && at.stride > 0,
         Op::conv2d, in, "images [n,h,w,c] and weights [kh,kw,c,o]");
  const Shape &x = in[0].shape, &w = in[1].shape;
  if (at.padding == Padding::valid && (x[1] < w[0] || x[2] < w[1]))
    bad_shapes(Op::conv2d, in, "a window no larger than the image");
  return {{in[0].dtype, Shape{x[0], extent(x[1], w[0], at), extent(x[2], w[1], at), w[3]}, {}}};
}

Types infer_shape(const Attributes& at, std::span<const TensorType> in) { return {{in[0].dtype, at.shape, {}}}; }

Tensors gradient(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool> needed) {
  const Tensor &x = of.in[0], &w = of.in[1];
  Attributes at = of.operation.attributes;
  Tensors result(2);
  if (needed[0]) {
    at.shape = x.shape();
    result[0] = compute(Op::conv2d_data, at, {dy[0], w});
  }
  if (needed[1]) {
    at.shape = w.shape();
    result[1] = compute(Op::conv2d_weights, at, {x, dy[0]});
  }
  return result;
}

constexpr OpInfo table[] = {
    {Op::conv2d, infer_forward, gradient}, {Op::conv2d_data, infer_shape}, {Op::conv2d_weights, infer_shape}};

}  // namespace

std::span<const OpInfo> rows::convolution() { return table; }

Tensor conv2d(const Tensor& x, const Tensor& weights, std::int64_t stride, Padding padding) {
  return compute(Op::conv2d, {.padding = padding, .stride = stride}, {x, weights});
}

}  // namespace assay::engine
