#include <stdexcept>

#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"
#include "engine/ops/layers.hpp"

namespace assay::engine {
namespace {

Types infer_forward(const Attributes&, std::span<const TensorType> in) {
  expect(in.size() == 2 && in[1].dtype == DType::int64 && in[1].shape == Shape{2}, Op::dropout, in,
         "x and a key of two int64");
  return {{in[0].dtype, in[0].shape, {}}, {DType::uint8, in[0].shape, {}}};
}

Types infer_gradient(const Attributes&, std::span<const TensorType> in) { return {{in[0].dtype, in[0].shape, {}}}; }

Tensors gradient(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool>) {
  Tensors result(2);
  result[0] = compute(Op::dropout_gradient, of.operation.attributes, {dy[0], of.out[1]});
  return result;
}

constexpr OpInfo table[] = {{Op::dropout, infer_forward, gradient}, {Op::dropout_gradient, infer_gradient}};

}  // namespace

std::span<const OpInfo> rows::dropout() { return table; }

Tensor dropout(const Tensor& x, const Tensor& key, double rate) {
  if (!(rate >= 0 && rate < 1))
    throw std::invalid_argument("dropout: expected a rate from 0 to below 1, got " + std::to_string(rate));
  return compute(Op::dropout, {.scalar = rate}, {x, key});
}

}  // namespace assay::engine
