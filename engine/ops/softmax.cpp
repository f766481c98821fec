#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"
#include "engine/ops/layers.hpp"

namespace assay::engine {
namespace {

Types infer(const Attributes&, std::span<const TensorType> in) {
  expect(in[0].shape.rank() == 2, Op::softmax, in, "a matrix");
  return {{in[0].dtype, in[0].shape, {}}};
}

Tensors gradient(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool>) {
  return {compute(Op::softmax_gradient, {}, {dy[0], of.out[0]})};
}

constexpr OpInfo table[] = {{Op::softmax, infer, gradient}, {Op::softmax_gradient, infer}};

}  // namespace

std::span<const OpInfo> rows::softmax() { return table; }

Tensor softmax(const Tensor& x) { return compute(Op::softmax, {}, {x}); }

}  // namespace assay::engine
