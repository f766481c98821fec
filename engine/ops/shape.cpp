#include "engine/ops/shape.hpp"

#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"
#include "engine/ops/reduction.hpp"

namespace assay::engine {
namespace {

Types infer_reshape(const Attributes& at, std::span<const TensorType> in) {
  if (in.size() != 1 || in[0].shape.elements() != at.shape.elements())
    bad_shapes(Op::reshape, in, "as many elements as " + to_string(at.shape));
  return {{in[0].dtype, at.shape, {}}};
}

Types infer_broadcast(const Attributes& at, std::span<const TensorType> in) {
  std::vector<std::int64_t> kept;
  for (std::size_t axis = 0; axis < at.shape.rank(); ++axis) {
    if (((at.axes >> axis) & 1U) == 0) kept.push_back(at.shape.dims()[axis]);
  }
  if (in.size() != 1 || in[0].shape != Shape(kept)) bad_shapes(Op::broadcast, in, to_string(Shape(kept)));
  return {{in[0].dtype, at.shape, {}}};
}

Tensors gradient_reshape(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool>) {
  return {reshape(dy[0], of.in[0].shape())};
}
Tensors gradient_broadcast(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool>) {
  return {sum(dy[0], of.operation.attributes.axes)};
}

constexpr OpInfo table[] = {{Op::reshape, infer_reshape, gradient_reshape},
                            {Op::broadcast, infer_broadcast, gradient_broadcast}};

}  // namespace

std::span<const OpInfo> rows::shape() { return table; }

Tensor reshape(const Tensor& x, const Shape& shape) { return compute(Op::reshape, {.shape = shape}, {x}); }
Tensor flatten(const Tensor& x) {
  return reshape(x, Shape{x.shape()[0], x.shape().elements() / std::max<std::int64_t>(1, x.shape()[0])});
}
Tensor broadcast(const Tensor& x, const Shape& shape, std::uint32_t axes) {
  return compute(Op::broadcast, {.axes = axes, .shape = shape}, {x});
}

}  // namespace assay::engine
