#pragma once
#include <string>

#include "engine/core/tensor.hpp"
#include "engine/kernels/operation.hpp"

namespace assay::engine {

using Types = InlineVector<TensorType, 8>;

/// One operation that ran or was recorded: what a gradient may use.
struct TapeEntry {
  Operation operation;
  Tensors in, out;
};

/// What an operation is besides its kernels.
struct OpInfo {
  Op op;
  /// Output types from input types; throws std::invalid_argument that names the operation and the shapes.
  Types (*infer)(const Attributes&, std::span<const TensorType> in) = nullptr;
  /// Gradients of the inputs from those of the outputs, in terms of operations. `needed[i]` false: leave the i-th
  /// undefined, nobody wants it. An output that nothing depends on has an undefined gradient. Null: not differentiable.
  Tensors (*gradient)(const TapeEntry&, std::span<const Tensor> dy, std::span<const bool> needed) = nullptr;
  /// Input whose memory output i may reuse; -1: none. Of updates: list of inputs, see reused_input().
  std::array<int, 3> in_place{-1, -1, -1};
};

/// The row of the table (table.cpp).
const OpInfo& op_info(Op op);
/// Input whose memory output `out` may reuse in an operation of `inputs` inputs; -1: none.
int reused_input(Op op, std::size_t inputs, std::size_t out);

// For infer functions.
[[noreturn]] void bad_shapes(Op op, std::span<const TensorType> in, const std::string& expected);
/// Throws bad_shapes unless `holds`.
inline void expect(bool holds, Op op, std::span<const TensorType> in, const char* expected) {
  if (!holds) bad_shapes(op, in, expected);
}
bool is_float(DType dtype);  // float32 or float64
/// float32, float64 or narrow (is_narrow).
bool is_floating_point(DType dtype);
std::string to_string(const TensorType& type);

}  // namespace assay::engine
