#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.drop_dead: removes what neither a result nor a variable depends on. Returns how many nodes are gone.
int drop_dead(Graph& graph, const Settings& settings);

}  // namespace assay::engine
