#pragma once
#include "engine/kernels/backend.hpp"

namespace assay::engine {

/// The operation on tensors of a narrow type (is_narrow) that no back end computes in: operands are widened to float32,
/// exactly, the float32 kernel that dispatch finds runs on them, and each result is rounded to nearest even once.
/// Subnormals of float16 and float8 are kept; bfloat16's are float32's, zero while those are flushed. Says `emulated`;
/// its time is no speed of the format. `only` as in prepare(). Throws Unsupported where no operand is narrow or there
/// is no float32 kernel.
Prepared prepare_emulated(const Operation& operation, std::span<const TensorType> in, std::span<const TensorType> out,
                          const Target& target, const Backend* only);

}  // namespace assay::engine
