#include "engine/graph/passes/passes.hpp"

#include <algorithm>

#include "engine/graph/passes/fallbacks.hpp"

namespace assay::engine {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Operations whose kernels sum in float32 and write that sum in another type too.
bool sums(Op op) { return op == Op::matmul || op == Op::conv2d_weights || op == Op::sum; }

/// Casts of what is there at the start (weights, arguments) come first, so that they do not stand between operations
/// that other passes join; arguments last, beside those who read them.
void hoist_source_casts(Graph& graph) {
  const auto rank = [&](const Node& node) {
    if (node.operation.op != Op::cast) return 2;
    const Source source = graph.values[at(node.in[0])].source;
    return source == Source::node ? 2 : source == Source::argument ? 1 : 0;
  };
  std::ranges::stable_sort(graph.nodes, {}, rank);
}

}  // namespace

/// Control engine.fuse_casts: a product or sum whose 16-bit result is only cast to float32 writes float32 itself.
/// Kernels accumulate in float32 anyway, so the result is not rounded in between. Returns how many casts are removed.
int fuse_casts(Graph& graph, const Settings& settings) {
  const auto read_by = consumers(graph);
  const auto made_by = producers(graph);
  std::vector<bool> dead(graph.nodes.size());
  int fused = 0;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& widening = graph.nodes[n];
    if (widening.operation.op != Op::cast || widening.operation.attributes.dtype != DType::float32) continue;
    const int narrow = widening.in[0], wide = widening.out[0], maker = made_by[at(narrow)];
    if (maker < 0 || !is_narrow(graph.type(narrow).dtype) || !sums(graph.nodes[at(maker)].operation.op)) continue;
    if (read_by[at(narrow)].size() != 1 || is_output(graph, narrow)) continue;
    Node direct = graph.nodes[at(maker)];
    direct.out[0] = wide;
    const auto before = count_fallbacks(graph, graph.nodes[at(maker)], settings),
               after = count_fallbacks(graph, direct, settings);
    if (!before || !after || *after > *before) continue;
    graph.nodes[at(maker)] = std::move(direct);
    dead[n] = true;
    ++fused;
  }
  erase_nodes(graph, dead);
  hoist_source_casts(graph);
  return fused;
}

}  // namespace assay::engine
