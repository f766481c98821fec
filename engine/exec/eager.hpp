#pragma once
#include "engine/core/tensor.hpp"
#include "engine/kernels/operation.hpp"
#include "engine/kernels/settings.hpp"

namespace assay::engine {

/// Prepares a kernel for these inputs, runs it and returns new tensors. Under engine.cache_primitives the kernel is
/// kept for the next call. Updates (sgd, adam) run in place and return their inputs where nothing else holds these.
Tensors run_eager(const Operation& operation, std::span<const Tensor> in, std::span<const TensorType> out);

/// The kernels that this thread keeps, and how often an operation found its kernel there.
struct EagerCache {
  std::size_t kernels = 0;
  std::uint64_t hits = 0, misses = 0;
};
EagerCache eager_cache();
void clear_eager_cache();

}  // namespace assay::engine
