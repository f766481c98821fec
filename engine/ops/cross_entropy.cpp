#include <stdexcept>

#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"
#include "engine/ops/layers.hpp"

namespace assay::engine {
namespace {

Types infer_forward(const Attributes&, std::span<const TensorType> in) {
  expect(
      in.size() == 2 && in[0].shape.rank() == 2 && in[1].dtype == DType::int32 && in[1].shape == Shape{in[0].shape[0]},
      Op::softmax_cross_entropy, in, "logits [m,n] and labels int32 [m]");
  return {{in[0].dtype, Shape{in[0].shape[0]}, {}}, {in[0].dtype, in[0].shape, {}}};
}

Types infer_gradient(const Attributes&, std::span<const TensorType> in) { return {{in[1].dtype, in[1].shape, {}}}; }

Tensors gradient(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool>) {
  if (dy[1].defined())
    throw std::logic_error("softmax_cross_entropy: its probabilities are not differentiable; use softmax");
  Tensors result(2);
  result[0] = compute(Op::softmax_cross_entropy_gradient, {}, {dy[0], of.out[1], of.in[1]});
  return result;
}

constexpr OpInfo table[] = {{Op::softmax_cross_entropy, infer_forward, gradient},
                            {Op::softmax_cross_entropy_gradient, infer_gradient}};

}  // namespace

std::span<const OpInfo> rows::cross_entropy() { return table; }

Tensor softmax_cross_entropy(const Tensor& logits, const Tensor& labels) {
  return compute(Op::softmax_cross_entropy, {}, {logits, labels});
}

}  // namespace assay::engine
