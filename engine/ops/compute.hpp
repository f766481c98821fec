#pragma once
#include "engine/core/tensor.hpp"
#include "engine/kernels/operation.hpp"

namespace assay::engine {

/// The one way to compute: records a node where this thread records a function, else prepares a kernel (through a
/// cache, control engine.cache_primitives) and runs it at once. A tape that is active notes what it needs for
/// gradients.
Tensors compute(const Operation& operation, std::span<const Tensor> in);

/// For operations with one output.
inline Tensor compute(Op op, const Attributes& attributes, std::initializer_list<Tensor> in) {
  return compute(Operation{op, attributes}, std::span<const Tensor>(in.begin(), in.size()))[0];
}

}  // namespace assay::engine
