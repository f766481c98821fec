#include "engine/graph/passes/passes.hpp"

#include <algorithm>

namespace assay::engine {
namespace {

// A constant lives as long as its plan, so large ones are made anew at each call: they would only fill memory.
constexpr std::size_t max_bytes = std::size_t{1} << 20;

std::vector<Tensor> values_of(const Node& node, const Graph& graph, const Settings& settings) {
  std::vector<TensorType> in, out;
  std::vector<View> views_in, views_out;
  std::vector<Tensor> results;
  for (const int value : node.in) in.push_back(graph.type(value));
  for (const int value : node.out) {
    out.push_back(graph.type(value));
    results.push_back(Tensor::empty(graph.type(value)));
    views_out.push_back(results.back().view());
  }
  for (const int value : node.in) views_in.push_back(graph.values[static_cast<std::size_t>(value)].constant.view());
  const Prepared prepared = prepare(node.operation, in, out, target_for(settings), settings.only);
  const auto state = prepared.kernel->make_state();
  const auto workspace = make_storage(prepared.workspace);
  Context context{workspace->data(), state.get()};
  prepared.kernel->run(views_in, views_out, context);
  return results;
}

}  // namespace

/// Control engine.fold_constants: operations on constants alone run while planning, on the kernels that the plan would
/// have used; their results become constants. Returns how many operations are removed.
int fold_constants(Graph& graph, const Settings& settings) {
  const auto value = [&](int v) -> GraphValue& { return graph.values[static_cast<std::size_t>(v)]; };
  std::vector<bool> dead(graph.nodes.size());
  int folded = 0;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    const auto is_constant = [&](int v) { return value(v).source == Source::constant; };
    const auto is_large = [&](int v) { return graph.type(v).bytes() > max_bytes; };
    // A result or a variable's new value is made in its own memory at every call.
    if (!std::ranges::all_of(node.in, is_constant) || std::ranges::any_of(node.out, is_large) ||
        std::ranges::any_of(node.out, [&](int v) { return is_output(graph, v); }))
      continue;
    const std::vector<Tensor> results = values_of(node, graph, settings);
    for (std::size_t i = 0; i < results.size(); ++i) {
      value(node.out[i]).source = Source::constant;
      value(node.out[i]).constant = results[i];
    }
    dead[n] = true;
    ++folded;
  }
  erase_nodes(graph, dead);
  return folded;
}

}  // namespace assay::engine
