#pragma once
#include "engine/core/tensor.hpp"
#include "engine/kernels/operation.hpp"

namespace assay::engine {

/// Dispatches an operation. Records a node where this thread records a function, else runs a kernel at once
/// (engine/exec/eager.hpp). An active tape notes the operation for gradients.
Tensors compute(const Operation& operation, std::span<const Tensor> in);

/// The same for operations with one output.
inline Tensor compute(Op op, const Attributes& attributes, std::initializer_list<Tensor> in) {
  return compute(Operation{op, attributes}, std::span<const Tensor>(in.begin(), in.size()))[0];
}

}  // namespace assay::engine
