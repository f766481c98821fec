#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.fuse_epilogue: a product or convolution adds the bias and applies the ReLU itself, and the kernel of
/// the weights' gradient sums the bias's gradient. Returns how many operations are removed.
int fuse_epilogue(Graph& graph, const Settings& settings);

}  // namespace assay::engine
