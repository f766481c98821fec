#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"
#include "engine/ops/layers.hpp"

namespace assay::engine {
namespace {

Types same_as_first(const Attributes&, std::span<const TensorType> in) { return {{in[0].dtype, in[0].shape, {}}}; }

Tensors gradient(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool>) {
  return {compute(Op::relu_gradient, {}, {dy[0], of.out[0]})};
}

constexpr OpInfo table[] = {{Op::relu, same_as_first, gradient}, {Op::relu_gradient, same_as_first}};

}  // namespace

std::span<const OpInfo> rows::relu() { return table; }

Tensor relu(const Tensor& x) { return compute(Op::relu, {}, {x}); }

}  // namespace assay::engine
