#include "engine/graph/passes/fallbacks.hpp"

namespace assay::engine {

std::optional<std::size_t> fallbacks(const Graph& graph, const Node& node, const Settings& settings) {
  std::vector<TensorType> in, out;
  for (const int value : node.in) in.push_back(graph.type(value));
  for (const int value : node.out) out.push_back(graph.type(value));
  try {
    const Target target{Device::cpu, settings.threads, &settings.controls};
    return prepare(node.operation, in, out, target, settings.only).info.fallbacks.size();
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

}  // namespace assay::engine
