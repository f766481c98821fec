#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "engine/exec/settings.hpp"
#include "engine/graph/passes/passes.hpp"

namespace assay::engine {

/// Where an execution finds a value.
struct Place {
  enum class Kind : std::uint8_t { argument, state, constant, arena, result };
  Kind kind = Kind::arena;
  std::size_t index = 0;  // of the argument, state, constant or result; the offset in the arena
};

/// One kernel and where it reads and writes.
struct Step {
  Op op{};
  Prepared prepared;
  std::vector<Place> in, out;
};

/// A variable in the layout that the plan keeps it in.
struct PlannedState {
  Variable variable;
  TensorType type;
  bool written = false;
  Prepared pack,
      unpack;  // kernels of a packed state; empty where it is plain: the plan works on the variable's own storage

  bool packed() const { return type.layout.kind == Layout::Kind::opaque; }
};

/// After the last step: bytes from a place to a result or a state.
struct FinalCopy {
  Place from, to;
  std::size_t bytes = 0;
};

/// What to do for a call, decided once: immutable, shared by executions.
struct Plan {
  std::vector<Step> steps;
  std::vector<PlannedState> states;
  std::vector<Tensor> constants;  // packed ones as they are used
  std::vector<TensorType> results;
  std::vector<FinalCopy> copies;
  std::size_t arena_bytes = 0, workspace_bytes = 0;
  std::size_t recorded_nodes = 0;
  std::vector<PassResult> passes;  // what each did, in order
  Settings settings;

  /// How often the pass of this control changed something; 0 where it was off.
  int changes(Control control) const {
    const auto found = std::ranges::find(passes, control, &PassResult::control);
    return found == passes.end() ? 0 : found->changes;
  }
};

/// Runs the passes over the graph, places every value and prepares every kernel.
std::shared_ptr<const Plan> make_plan(Graph graph, const Settings& settings);

}  // namespace assay::engine
