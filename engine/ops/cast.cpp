#include "engine/ops/compute.hpp"
#include "engine/ops/families.hpp"
#include "engine/ops/unary.hpp"

namespace assay::engine {
namespace {

Types infer(const Attributes& at, std::span<const TensorType> in) { return {{at.dtype, in[0].shape, {}}}; }

Tensors gradient(const TapeEntry& of, std::span<const Tensor> dy, std::span<const bool>) {
  if (!is_floating_point(of.operation.attributes.dtype)) return {Tensor{}};  // an integer does not vary
  return {cast(dy[0], of.in[0].dtype())};
}

constexpr OpInfo table[] = {{Op::cast, infer, gradient}};

}  // namespace

std::span<const OpInfo> rows::cast() { return table; }

Tensor cast(const Tensor& x, DType dtype) { return x.dtype() == dtype ? x : compute(Op::cast, {.dtype = dtype}, {x}); }

}  // namespace assay::engine
