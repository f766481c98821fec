#pragma once
#include <string>

#include "engine/core/tensor.hpp"
#include "engine/graph/tape.hpp"

namespace assay::engine {

using Types = InlineVector<TensorType, 8>;

/// What an operation is besides its kernels.
struct OpInfo {
  Op op;
  /// Output types from input types; throws std::invalid_argument that names the operation and the shapes.
  Types (*infer)(const Attributes&, std::span<const TensorType> in) = nullptr;
  /// Gradients of the inputs from those of the outputs, in terms of operations. Where `needed[i]` is false the i-th may
  /// stay undefined. An output that nothing depends on has an undefined gradient. Null: not differentiable.
  Tensors (*gradient)(const TapeEntry&, std::span<const Tensor> dy, std::span<const bool> needed) = nullptr;
};

/// The row of the operation (table.cpp).
const OpInfo& op_info(Op op);

// For infer functions.
[[noreturn]] void bad_shapes(Op op, std::span<const TensorType> in, const std::string& expected);
/// Throws bad_shapes unless `holds`.
inline void expect(bool holds, Op op, std::span<const TensorType> in, const char* expected) {
  if (!holds) bad_shapes(op, in, expected);
}
bool is_floating_point(DType dtype);
std::string to_string(const TensorType& type);

}  // namespace assay::engine
