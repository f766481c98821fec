#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/reduction.hpp"

namespace assay::engine {
namespace {

Types infer(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 2 && in[0].shape.rank() >= 1 && in[1].shape.rank() == 1 && in[0].shape[-1] == in[1].shape[0] &&
             in[0].dtype == in[1].dtype,
         Op::add_bias, in, "x with a last dimension that is the bias's");
  return {{in[0].dtype, in[0].shape, {}}};
}

Tensors gradient(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool> needed) {
  Tensors result(2);
  if (needed[0]) result[0] = dy[0];
  if (needed[1]) result[1] = sum(dy[0], (1U << (of.in[0].shape().rank() - 1)) - 1U);
  return result;
}

constexpr OpInfo table[] = {{Op::add_bias, infer, gradient}};

}  // namespace

std::span<const OpInfo> rows::bias() { return table; }

Tensor add_bias(const Tensor& x, const Tensor& bias) { return compute(Op::add_bias, {}, {x, bias}); }

}  // namespace assay::engine
