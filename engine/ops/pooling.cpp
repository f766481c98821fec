#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"
#include "engine/ops/layers.hpp"

namespace assay::engine {
namespace {

std::int64_t extent(std::int64_t size, const Attributes& at) {
  return at.padding == Padding::same ? (size + at.stride - 1) / at.stride : (size - at.window) / at.stride + 1;
}

Types infer_forward(const Attributes& at, std::span<const TensorType> in) {
  expect(in.size() == 1 && in[0].shape.rank() == 4 && at.window > 0 && at.stride > 0, Op::max_pool, in,
         "images [n,h,w,c], a window and a stride above 0");
  const Shape& x = in[0].shape;
  if (at.padding == Padding::valid && (x[1] < at.window || x[2] < at.window))
    bad_shapes(Op::max_pool, in, "images no smaller than the window of " + std::to_string(at.window));
  const Shape y{x[0], extent(x[1], at), extent(x[2], at), x[3]};
  return {{in[0].dtype, y, {}}, {DType::int32, y, {}}};
}

Types infer_gradient(const Attributes& at, std::span<const TensorType> in) { return {{in[0].dtype, at.shape, {}}}; }

Tensors gradient(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool>) {
  Attributes at = of.operation.attributes;
  at.shape = of.in[0].shape();
  return {compute(Op::max_pool_gradient, at, {dy[0], of.out[1]})};
}

constexpr OpInfo table[] = {{Op::max_pool, infer_forward, gradient}, {Op::max_pool_gradient, infer_gradient}};

}  // namespace

std::span<const OpInfo> rows::pooling() { return table; }

Tensor max_pool(const Tensor& x, std::int64_t window, std::int64_t stride, Padding padding) {
  return compute(Op::max_pool, {.padding = padding, .window = window, .stride = stride}, {x});
}

}  // namespace assay::engine
