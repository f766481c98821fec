#include "engine/graph/passes/passes.hpp"

#include <algorithm>
#include <map>

namespace assay::engine {

/// Control engine.cse, common subexpression elimination: an operation equal to an earlier one on equal inputs is
/// removed, and its uses read the earlier results. Returns how many nodes are removed.
int cse(Graph& graph, const Settings&) {
  std::vector<bool> dead(graph.nodes.size());
  std::map<std::pair<Op, std::vector<int>>, std::vector<std::size_t>> seen;  // nodes by what tells most of them apart
  int merged = 0;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    // What a variable becomes stays its own: two variables never share one value.
    if (is_update(node.operation.op) || std::ranges::any_of(node.out, [&](int out) { return is_output(graph, out); }))
      continue;
    auto& alike = seen[{node.operation.op, node.in}];
    const auto first =
        std::ranges::find_if(alike, [&](std::size_t other) { return graph.nodes[other].operation == node.operation; });
    if (first == alike.end()) {
      alike.push_back(n);
      continue;
    }
    const std::vector<int> outs = node.out;
    for (std::size_t i = 0; i < outs.size(); ++i) replace_uses(graph, outs[i], graph.nodes[*first].out[i]);
    dead[n] = true;
    ++merged;
  }
  erase_nodes(graph, dead);
  return merged;
}

}  // namespace assay::engine
