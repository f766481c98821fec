#include "engine/graph/graph.hpp"

#include <algorithm>

namespace assay::engine {

std::vector<std::vector<int>> consumers(const Graph& graph) {
  std::vector<std::vector<int>> result(graph.values.size());
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const int value : graph.nodes[n].in) result[static_cast<std::size_t>(value)].push_back(static_cast<int>(n));
  }
  return result;
}

std::vector<int> producers(const Graph& graph) {
  std::vector<int> result(graph.values.size(), -1);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const int value : graph.nodes[n].out) result[static_cast<std::size_t>(value)] = static_cast<int>(n);
  }
  return result;
}

bool is_output(const Graph& graph, int value) {
  return std::ranges::find(graph.results, value) != graph.results.end() ||
         std::ranges::find(graph.states, value, &StateSlot::written) != graph.states.end();
}

void replace_uses(Graph& graph, int value, int by) {
  for (Node& node : graph.nodes) std::ranges::replace(node.in, value, by);
  std::ranges::replace(graph.results, value, by);
  for (StateSlot& slot : graph.states) {
    if (slot.written == value) slot.written = by;
  }
}

void erase_nodes(Graph& graph, const std::vector<bool>& dead) {
  std::size_t kept = 0;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (dead[n]) continue;
    if (kept != n) graph.nodes[kept] = std::move(graph.nodes[n]);
    ++kept;
  }
  graph.nodes.resize(kept);
}

}  // namespace assay::engine
