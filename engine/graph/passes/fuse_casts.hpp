#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.fuse_casts: a product or sum whose 16-bit result is only cast to float32 writes float32 itself.
/// Kernels accumulate in float32 anyway, so the result is not rounded in between. Casts of weights and arguments move
/// to the front. Returns how many casts are removed.
int fuse_casts(Graph& graph, const Settings& settings);

}  // namespace assay::engine
