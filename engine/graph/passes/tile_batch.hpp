#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.tile_batch: convolutions, poolings and what lies between them run as one group on a few images at a
/// time (Op::batch_tiles), each thread on images of its own, where a whole batch of the values between them would not
/// fit the cache. Gradients of weights are summed over the tiles. Weights are brought into the layout that the tiles
/// want once a call. Returns how many operations joined another.
int tile_batch(Graph& graph, const Settings& settings);

}  // namespace assay::engine
