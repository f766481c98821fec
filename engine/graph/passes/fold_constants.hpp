#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.fold_constants: operations on constants alone run while planning, on the kernels that the plan would
/// have used; their results become constants. Returns how many operations are removed.
int fold_constants(Graph& graph, const Settings& settings);

}  // namespace assay::engine
