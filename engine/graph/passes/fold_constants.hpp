#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.fold_constants: operations on constants alone run while planning, with the kernels that the plan
/// would have used; their results become constants. Returns how many operations are gone from the plan.
int fold_constants(Graph& graph, const Settings& settings);

}  // namespace assay::engine
