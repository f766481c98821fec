#include "engine/graph/passes/passes.hpp"

#include "engine/graph/passes/cse.hpp"
#include "engine/graph/passes/dce.hpp"
#include "engine/graph/passes/fold_constants.hpp"
#include "engine/graph/passes/fuse_casts.hpp"
#include "engine/graph/passes/fuse_elementwise.hpp"
#include "engine/graph/passes/fuse_epilogue.hpp"
#include "engine/graph/passes/fuse_update.hpp"
#include "engine/graph/passes/hoist_relu_gradient.hpp"
#include "engine/graph/passes/prepack.hpp"
#include "engine/graph/passes/tile_batch.hpp"

namespace assay::engine {
namespace {

// What makes nodes superfluous comes before what removes them; the fusions see the nodes that packing has chosen.
constexpr Pass table[] = {
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

}  // namespace

std::span<const Pass> passes() { return table; }

std::vector<PassResult> run_passes(Graph& graph, const Settings& settings) {
  std::vector<PassResult> results;
  for (const Pass& pass : table) {
    if (!settings.controls.on(pass.control)) continue;
    const int changes = pass.run(graph, settings);
    results.push_back({pass.control, changes, graph.nodes.size()});
  }
  return results;
}

}  // namespace assay::engine
