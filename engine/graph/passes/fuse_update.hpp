#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.fuse_update: updates (sgd, adam) with equal attributes, rates and switches become one over lists of
/// tensors. Returns how many updates are removed.
int fuse_update(Graph& graph, const Settings& settings);

}  // namespace assay::engine
