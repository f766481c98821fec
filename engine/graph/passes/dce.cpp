#include "engine/graph/passes/passes.hpp"

#include <algorithm>

namespace assay::engine {

/// Control engine.dce, dead code elimination: removes what neither a result nor a variable depends on. Returns how many
/// nodes are removed.
int dce(Graph& graph, const Settings&) {
  std::vector<bool> needed(graph.values.size()), dead(graph.nodes.size());
  const auto need = [&](int value) { needed[static_cast<std::size_t>(value)] = true; };
  for (const int value : graph.results) need(value);
  for (const StateSlot& slot : graph.states) {
    if (slot.written >= 0) need(slot.written);
  }
  int dropped = 0;
  for (std::size_t n = graph.nodes.size(); n-- > 0;) {
    const Node& node = graph.nodes[n];
    dead[n] = std::ranges::none_of(node.out, [&](int value) { return needed[static_cast<std::size_t>(value)]; });
    if (dead[n]) {
      ++dropped;
    } else {
      std::ranges::for_each(node.in, need);
    }
  }
  erase_nodes(graph, dead);
  return dropped;
}

}  // namespace assay::engine
