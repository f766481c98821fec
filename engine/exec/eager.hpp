#pragma once
#include "engine/core/tensor.hpp"
#include "engine/exec/settings.hpp"
#include "engine/kernels/operation.hpp"

namespace assay::engine {

/// Prepares a kernel for these inputs (kept for the next call under engine.cache_primitives), runs it and returns new
/// tensors; updates (sgd, adam) run in place and return their inputs.
Tensors run_eager(const Operation& operation, std::span<const Tensor> in, std::span<const TensorType> out);

/// Kernels that this thread keeps, and operations that found theirs there or not.
struct EagerCache {
  std::size_t kernels = 0;
  std::uint64_t hits = 0, misses = 0;
};
EagerCache eager_cache();
void clear_eager_cache();

}  // namespace assay::engine
