#include "engine/ops/reduction.hpp"

#include "engine/ops/arithmetic.hpp"
#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"
#include "engine/ops/shape.hpp"
#include "engine/ops/unary.hpp"

namespace assay::engine {
namespace {

template <Op op>
Types infer(const Attributes& at, std::span<const TensorType> in) {
  expect(in.size() == 1 && is_floating_point(in[0].dtype) && at.axes < (1U << in[0].shape.rank()), op, in,
         "one floating tensor that has the axes");
  std::vector<std::int64_t> kept;
  for (std::size_t axis = 0; axis < in[0].shape.rank(); ++axis) {
    if (((at.axes >> axis) & 1U) == 0) kept.push_back(in[0].shape.dims()[axis]);
  }
  return {{in[0].dtype, Shape(kept), {}}};
}

Types infer_argmax(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 1 && in[0].shape.rank() == 2, Op::argmax, in, "a matrix");
  return {{DType::int32, Shape{in[0].shape[0]}, {}}};
}

Tensor spread(const Tensor& dy, const TapeEntry& of) {
  return broadcast(dy, of.in[0].shape(), of.operation.attributes.axes);
}

Tensors gradient_sum(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool>) {
  return {spread(dy[0], of)};
}

Tensors gradient_mean(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool>) {
  const double share =
      static_cast<double>(of.out[0].shape().elements()) / static_cast<double>(of.in[0].shape().elements());
  return {spread(scale(dy[0], share), of)};
}

/// Equal maxima share the gradient, and so do several NaN.
Tensors gradient_max(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool>) {
  const Tensor here = equal(of.in[0], spread(of.out[0], of)) + is_nan(of.in[0]);
  return {here * spread(dy[0] / sum(here, of.operation.attributes.axes), of)};
}

constexpr OpInfo table[] = {{Op::sum, infer<Op::sum>, gradient_sum},
                            {Op::mean, infer<Op::mean>, gradient_mean},
                            {Op::max, infer<Op::max>, gradient_max},
                            {Op::argmax, infer_argmax}};

Tensor reduce(Op op, const Tensor& x, std::uint32_t axes) {
  return compute(op, {.axes = axes == all_axes ? (1U << x.shape().rank()) - 1U : axes}, {x});
}

}  // namespace

std::span<const OpInfo> rows::reduction() { return table; }

Tensor sum(const Tensor& x, std::uint32_t axes) { return reduce(Op::sum, x, axes); }
Tensor mean(const Tensor& x, std::uint32_t axes) { return reduce(Op::mean, x, axes); }
Tensor max(const Tensor& x, std::uint32_t axes) { return reduce(Op::max, x, axes); }
Tensor argmax(const Tensor& x) { return compute(Op::argmax, {}, {x}); }

}  // namespace assay::engine
