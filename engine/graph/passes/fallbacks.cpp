#include "engine/graph/passes/fallbacks.hpp"

namespace assay::engine {

std::optional<std::size_t> count_fallbacks(const Graph& graph, const Node& node, const Settings& settings) {
  std::vector<TensorType> in, out;
  for (const int value : node.in) in.push_back(graph.type(value));
  for (const int value : node.out) out.push_back(graph.type(value));
  try {
    return prepare(node.operation, in, out, target_for(settings), settings.only).info.fallbacks.size();
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

}  // namespace assay::engine
