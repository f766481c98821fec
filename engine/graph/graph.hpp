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

// What passes ask of a graph, and how they change it.

/// The nodes that read each value.
std::vector<std::vector<int>> readers(const Graph& graph);
/// The node that makes each value; -1: none does.
std::vector<int> producers(const Graph& graph);
/// Whether the value is a result or what a variable becomes.
bool leaves(const Graph& graph, int value);
/// Everybody who read `value` reads `by` instead.
void replace_uses(Graph& graph, int value, int by);
/// Removes the nodes marked dead; the others keep their order, values keep their numbers.
void erase_nodes(Graph& graph, const std::vector<bool>& dead);

}  // namespace assay::engine
