#pragma once
#include <memory>
#include <vector>

#include "engine/graph/passes/passes.hpp"
#include "engine/kernels/settings.hpp"

namespace assay::engine {

/// Where an execution finds a value.
struct Location {
  enum class Kind : std::uint8_t { argument, state, constant, arena, result };
  Kind kind = Kind::arena;
  std::size_t index = 0;  // of the argument, state, constant or result; in the arena the offset in bytes
};

/// One kernel and where it reads and writes.
struct Step {
  Op op{};
  Prepared prepared;
  std::vector<Location> in, out;
};

/// A variable in the layout in which the plan keeps it.
struct PlannedState {
  Variable variable;
  TensorType type;
  bool written = false;
  Prepared pack, unpack;  // kernels of a packed state; a plain one is the variable's own storage and needs none

  bool packed() const { return type.layout.kind == Layout::Kind::opaque; }
};

/// A copy after the last step, to a result or a state.
struct FinalCopy {
  Location from, to;
  std::size_t bytes = 0;
};

/// Everything that a call does, decided once. Immutable and shared by executions.
struct Plan {
  std::vector<Step> steps;
  std::vector<PlannedState> states;
  std::vector<Tensor> constants;  // in the layout in which they are read
  std::vector<TensorType> results;
  std::vector<FinalCopy> copies;
  std::size_t arena_bytes = 0, workspace_bytes = 0;
  std::size_t recorded_nodes = 0;
  std::vector<PassResult> passes;  // in the order in which they ran
  Settings settings;

  /// How often the pass of this control changed something; 0 where it was off.
  int changes(Control control) const;
};

/// Runs the passes over the graph, gives every value its memory and prepares every kernel.
std::shared_ptr<const Plan> make_plan(Graph graph, const Settings& settings);

}  // namespace assay::engine
