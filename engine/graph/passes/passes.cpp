#include "engine/graph/passes/passes.hpp"

namespace assay::engine {

std::vector<PassResult> run_passes(Graph& graph, const Settings& settings) {
  std::vector<PassResult> results;
  for (const Pass& pass : all_passes) {
    if (!settings.controls.on(pass.control)) continue;
    const int changes = pass.run(graph, settings);
    results.push_back({pass.control, changes, graph.nodes.size()});
  }
  return results;
}

}  // namespace assay::engine
