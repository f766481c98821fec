#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.fuse_update: the updates of one optimizer step become one kernel over the elements of all parameters,
/// with one fork and one computation of the step size. Returns how many updates joined another.
int fuse_update(Graph& graph, const Settings& settings);

}  // namespace assay::engine
