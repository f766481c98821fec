#pragma once
#include <vector>

#include "engine/graph/graph.hpp"
#include "engine/kernels/settings.hpp"

namespace assay::engine {

/// One pass over a graph. It changes the graph without changing what the graph computes, and returns how many changes
/// it made. It runs only while its control is on. How to add one: docs/writing_a_control.md.
struct Pass {
  Control control;
  int (*run)(Graph& graph, const Settings& settings);
};

// Each pass stands in a file of its name, with what it counts as a change.
int cse(Graph& graph, const Settings& settings);
int dce(Graph& graph, const Settings& settings);
int fold_constants(Graph& graph, const Settings& settings);
int fuse_casts(Graph& graph, const Settings& settings);
int fuse_elementwise(Graph& graph, const Settings& settings);
int fuse_epilogue(Graph& graph, const Settings& settings);
int fuse_update(Graph& graph, const Settings& settings);
int hoist_relu_gradient(Graph& graph, const Settings& settings);
int prepack(Graph& graph, const Settings& settings);
int tile_batch(Graph& graph, const Settings& settings);

/// In the order in which they run: what makes nodes superfluous before what removes them, and packing before the
/// fusions, which then see the nodes that it chose.
inline constexpr Pass all_passes[] = {
    {Control::fold_constants, fold_constants},
    {Control::cse, cse},
    {Control::hoist_relu_gradient, hoist_relu_gradient},
    {Control::dce, dce},
    {Control::fuse_casts, fuse_casts},
    {Control::prepack, prepack},
    {Control::fuse_epilogue, fuse_epilogue},
    {Control::tile_batch, tile_batch},
    {Control::fuse_update, fuse_update},
    {Control::fuse_elementwise, fuse_elementwise},
};

/// What a pass did to one graph.
struct PassResult {
  Control control;
  int changes = 0;
  std::size_t nodes = 0;  // afterwards
};
std::vector<PassResult> run_passes(Graph& graph, const Settings& settings);

}  // namespace assay::engine
