#pragma once
#include "engine/exec/settings.hpp"
#include "engine/graph/graph.hpp"

namespace assay::engine {

/// Control engine.fuse_epilogue: a bias and a ReLU that only follow a matrix product or a convolution become part of
/// it; the sum that is a bias's gradient becomes a second output of the weights' gradient. Only where the back end that
/// runs the product anyway has a kernel for it. Returns how many operations were taken in.
int fuse_epilogue(Graph& graph, const Settings& settings);

}  // namespace assay::engine
