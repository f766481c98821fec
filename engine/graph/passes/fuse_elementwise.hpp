#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.fuse_elementwise: element-wise operations of one shape, each of which only feeds the next, become one
/// node that runs them block by block, with the same values bit for bit. Returns how many operations joined another.
int fuse_elementwise(Graph& graph, const Settings& settings);

}  // namespace assay::engine
