#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.cse, common subexpression elimination: an operation equal to an earlier one on equal inputs is
/// removed, and its uses read the earlier results. Returns how many nodes are removed.
int cse(Graph& graph, const Settings& settings);

}  // namespace assay::engine
