#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.dce, dead code elimination: removes what neither a result nor a variable depends on. Returns how many
/// nodes are removed.
int dce(Graph& graph, const Settings& settings);

}  // namespace assay::engine
