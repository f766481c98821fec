#pragma once
#include <vector>

#include "engine/core/variable.hpp"
#include "engine/kernels/operation.hpp"

namespace assay::engine {

/// Where a value of a graph comes from: an argument of the function, the value of a variable at the start, a tensor
/// that the function captured, or a node.
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

/// A variable that the function reads or writes.
struct StateSlot {
  Variable variable;
  int read = -1;     // its value at the start
  int written = -1;  // its value at the end; -1: the function only reads it
};

/// A recorded function: nodes in an order in which they can run. Passes change it, then it is planned.
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

// Queries and changes for passes.

/// The nodes that read each value, by value.
std::vector<std::vector<int>> consumers(const Graph& graph);
/// The node that makes each value, by value; -1: none does.
std::vector<int> producers(const Graph& graph);
/// Whether the value is a result or the last value of a variable.
bool is_output(const Graph& graph, int value);
/// Replaces all uses of `value` with `by`.
void replace_uses(Graph& graph, int value, int by);
/// Removes the nodes marked dead. The others keep their order, and values keep their numbers.
void erase_nodes(Graph& graph, const std::vector<bool>& dead);

}  // namespace assay::engine
