#include "engine/graph/passes/passes.hpp"

namespace assay::engine {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

/// Control engine.hoist_relu_gradient: where the gradient of a ReLU follows the gradient of a max-pooling of its
/// output, relu_gradient(max_pool_gradient(dy, indices), y) becomes max_pool_gradient(relu_gradient(dy, pooled),
/// indices). The values are the same bit for bit, since the pooled value is the element that the gradient goes to. The
/// mask is then applied at the size of the pooled image. Returns how many moved.
int hoist_relu_gradient(Graph& graph, const Settings&) {
  const auto made_by = producers(graph);
  const auto read_by = consumers(graph);
  const auto producer = [&](int value, Op op) -> Node* {
    const int n = made_by[at(value)];
    return n >= 0 && graph.nodes[at(n)].operation.op == op ? &graph.nodes[at(n)] : nullptr;
  };
  int moved = 0;
  for (Node& mask : graph.nodes) {
    if (mask.operation.op != Op::relu_gradient) continue;
    Node* const spread = producer(mask.in[0], Op::max_pool_gradient);
    if (spread == nullptr || read_by[at(spread->out[0])].size() != 1 || is_output(graph, spread->out[0])) continue;
    const Node* const pool = producer(spread->in[1], Op::max_pool);
    if (pool == nullptr || pool->in[0] != mask.in[1]) continue;
    // The two nodes exchange places and outputs: first the mask, at the pooled size, then the pooling's gradient.
    const int masked = graph.add_value({graph.type(pool->out[0]), Source::node, {}});
    const Operation spreading = spread->operation;
    const int dy = spread->in[0], indices = spread->in[1];
    *spread = {{Op::relu_gradient, {}}, {dy, pool->out[0]}, {masked}};
    mask = {spreading, {masked, indices}, {mask.out[0]}};
    ++moved;
  }
  return moved;
}

}  // namespace assay::engine
