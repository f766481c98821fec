#pragma once
#include <vector>

#include "engine/exec/variable.hpp"
#include "engine/kernels/operation.hpp"

namespace assay::engine {

/// Where a value of a graph comes from: an argument of the function, a variable's value at the start, a tensor that the
/// function captured, or a node.
enum class Source : std::uint8_t { argument, state, constant, node };

struct GraphValue {
  TensorType type;
  Source source = Source::node;
  Tensor constant{};  // of Source::constant
};

struct Node {
  Operation operation;
  std::vector<int> in, out;  // values
};

/// A variable that the function reads or writes: the value that stands for it at the start, and the one that it has at
/// the end.
struct StateSlot {
  Variable variable;
  int read = -1;
  int written = -1;  // -1: the function only reads it
};

/// What a function does, once recorded: nodes in an order in which they can run. A value, changed by passes, then
/// planned.
struct Graph {
  std::vector<GraphValue> values;
  std::vector<Node> nodes;
  std::vector<int> arguments, results;
  std::vector<StateSlot> states;

  int add_value(GraphValue value) {
    values.push_back(std::move(value));
    return static_cast<int>(values.size()) - 1;
  }
  const TensorType& type(int value) const { return values[static_cast<std::size_t>(value)].type; }
  TensorType& type(int value) { return values[static_cast<std::size_t>(value)].type; }
};

/// The nodes that read each value.
std::vector<std::vector<int>> readers(const Graph& graph);

}  // namespace assay::engine
