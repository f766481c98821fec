#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Lets a product or sum write float32 where its result of a narrow type is only widened: what kernels accumulate in
/// float32 anyway is then not rounded in between. Moves the casts of weights
/// and arguments to the front. Control engine.fuse_casts.
int fuse_casts(Graph& graph, const Settings& settings);

}  // namespace assay::engine
