#pragma once
#include <cstdint>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/core/tensor_type.hpp"

namespace assay::engine {

/// Every operation that a kernel can be prepared for, as listed in operations.def with inputs and outputs. Shapes,
/// gradients and free functions stand in engine/ops.
enum class Op : std::uint8_t {
#define ASSAY_OPERATION(name, category, reused) name,
#include "engine/kernels/operations.def"
#undef ASSAY_OPERATION
};

/// What operations have in common. The three kinds of element-wise operations are those of one operand, those of two
/// operands of one type, and all others.
enum class OpCategory : std::uint8_t {
  product,
  convolution,
  layer,
  reduction,
  shape,
  elementwise_unary,
  elementwise_binary,
  elementwise,
  precision,
  update,
  layout,
  fused
};

/// A row of operations.def.
struct OpRow {
  Op op;
  std::string_view name;
  OpCategory category;
  int reused;
};
inline constexpr OpRow op_rows[] = {
#define ASSAY_OPERATION(name, category, reused) {Op::name, #name, OpCategory::category, reused},
#include "engine/kernels/operations.def"
#undef ASSAY_OPERATION
};
constexpr std::size_t op_count = std::size(op_rows);

/// "matmul", "conv2d_weights", ….
constexpr std::string_view name(Op op) { return op_rows[static_cast<std::size_t>(op)].name; }
constexpr OpCategory category(Op op) { return op_rows[static_cast<std::size_t>(op)].category; }
constexpr bool is_elementwise(Op op) {
  return category(op) >= OpCategory::elementwise_unary && category(op) <= OpCategory::elementwise;
}

/// Whether the operation, of one operand, is defined for positive numbers alone.
constexpr bool needs_positive(Op op) { return op == Op::log || op == Op::sqrt; }

/// Whether the operation is sgd or adam: element-wise on parameters and slots, in place.
constexpr bool is_update(Op op) { return category(op) == OpCategory::update; }
/// Lists of tensors that an update reads: parameters, gradients, slots. The scalars come after them.
constexpr std::size_t update_lists(Op op) { return op == Op::adam ? 4 : 3; }
constexpr std::size_t update_scalars(Op op) { return op == Op::adam ? 3 : 2; }
/// Parameters of an update with that many inputs.
constexpr std::size_t updated_parameters(Op op, std::size_t inputs) {
  return (inputs - update_scalars(op)) / update_lists(op);
}

/// Input whose memory output `out` may reuse in an operation of `inputs` inputs; -1: none.
int reused_input(Op op, std::size_t inputs, std::size_t out);

enum class Padding : std::uint8_t { valid, same };

/// What an operation needs besides its inputs: one flat record, so that comparing and hashing it is trivial.
/// An operation leaves what it does not use at its default.
struct Attributes {
  bool transpose_a = false, transpose_b = false;
  Padding padding = Padding::valid;
  std::int64_t window = 0, stride = 1;
  std::uint32_t axes = 0;
  Shape shape{};
  DType dtype = DType::float32;
  double scalar = 0;
  double momentum = 0, beta1 = 0, beta2 = 0, epsilon = 0;
  bool nesterov = false;
  bool relu = false;

  bool operator==(const Attributes&) const = default;
};

struct Group;

struct Operation {
  Op op{};
  Attributes attributes{};
  std::shared_ptr<const Group> group{};

  bool operator==(const Operation&) const = default;
};

/// What a block of a group sees of an operand or makes of a result: its own rows, the whole tensor, or a part of a sum
/// over all blocks.
enum class Part : std::uint8_t { rows, whole, sum };

/// One operation of a group.
struct FusedOperation {
  Operation operation;
  std::vector<int>
      in;  // from 0 on: inputs of the group; -1 - v: value v, counting what the operations before have made
  std::vector<TensorType> out;
  std::vector<Part> parts;  // of the outputs
};

/// What Op::fused_elementwise and Op::batch_tiles stand for: operations in the order in which they run.
struct Group {
  std::vector<FusedOperation> operations;
  std::vector<Part> in;  // of the group's inputs
  std::vector<int> out;  // which value each output is; the others stay in a block
};

}  // namespace assay::engine
