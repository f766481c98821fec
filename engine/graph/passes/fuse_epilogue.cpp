#include "engine/graph/passes/passes.hpp"

#include <algorithm>

#include "engine/graph/passes/fallbacks.hpp"

namespace assay::engine {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool makes_rows(Op op) { return op == Op::matmul || op == Op::inner_product || op == Op::conv2d; }
bool makes_weights_gradient(const Operation& operation) {
  return operation.op == Op::inner_product_weights || operation.op == Op::conv2d_weights ||
         (operation.op == Op::matmul && operation.attributes.transpose_a && !operation.attributes.transpose_b);
}

class FuseEpilogue {
 public:
  FuseEpilogue(Graph& graph, const Settings& settings)
      : graph_(graph), settings_(settings), consumers_(consumers(graph)), dead_(graph.nodes.size()) {}

  int run() {
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const Operation& operation = graph_.nodes[n].operation;
      if (makes_rows(operation.op) && take_bias(n)) take_relu(last_);
      if (makes_weights_gradient(operation)) take_bias_gradient(n);
    }
    erase_nodes(graph_, dead_);
    return taken_;
  }

 private:
  /// The node that alone reads the first output of node n, where that is all that becomes of it.
  std::optional<std::size_t> only_reader(std::size_t n) const {
    const int value = graph_.nodes[n].out[0];
    if (consumers_[at(value)].size() != 1 || is_output(graph_, value)) return std::nullopt;
    return at(consumers_[at(value)][0]);
  }

  /// Puts `fused` in the place of node `to`, and takes node `from` away, unless another back end than that of `like`,
  /// which it is made from, would have to run it.
  bool replace(std::size_t from, std::size_t to, const Node& fused, const Node& like) {
    const auto before = count_fallbacks(graph_, like, settings_), after = count_fallbacks(graph_, fused, settings_);
    if (!before || !after || *after > *before) return false;
    dead_[from] = true;
    dead_[to] = false;
    graph_.nodes[to] = fused;
    ++taken_;
    return true;
  }

  bool take_bias(std::size_t n) {
    const auto next = only_reader(n);
    if (!next || graph_.nodes[*next].operation.op != Op::add_bias ||
        graph_.nodes[*next].in[0] != graph_.nodes[n].out[0] || graph_.nodes[n].in.size() != 2)
      return false;
    Node fused = graph_.nodes[n];
    fused.in.push_back(graph_.nodes[*next].in[1]);
    fused.out = graph_.nodes[*next].out;
    last_ = *next;
    return replace(n, *next, fused, graph_.nodes[n]);
  }

  void take_relu(std::size_t n) {
    const auto next = only_reader(n);
    if (!next || graph_.nodes[*next].operation.op != Op::relu) return;
    Node fused = graph_.nodes[n];
    fused.operation.attributes.relu = true;
    fused.out = graph_.nodes[*next].out;
    replace(n, *next, fused, graph_.nodes[n]);
  }

  /// sum(dy) over all axes but the last, beside the weights' gradient from the same dy. The sum is then made where the
  /// gradient is, so it must not be read before.
  void take_bias_gradient(std::size_t n) {
    const Node& gradient = graph_.nodes[n];
    const int dy = gradient.in[1];
    const std::uint32_t rows = (1U << (graph_.type(dy).shape.rank() - 1)) - 1U;
    for (const int other : consumers_[at(dy)]) {
      const Node& sum = graph_.nodes[at(other)];
      if (dead_[at(other)] || sum.operation.op != Op::sum || sum.operation.attributes.axes != rows) continue;
      if (std::ranges::any_of(consumers_[at(sum.out[0])], [&](int reader) { return at(reader) < n; })) continue;
      Node fused = gradient;
      fused.out.push_back(sum.out[0]);
      replace(at(other), n, fused, gradient);
      return;
    }
  }

  Graph& graph_;
  const Settings& settings_;
  std::vector<std::vector<int>> consumers_;
  std::vector<bool> dead_;
  std::size_t last_ = 0;
  int taken_ = 0;
};

}  // namespace

/// Control engine.fuse_epilogue: a product or convolution adds the bias and applies the ReLU itself, and the kernel of
/// the weights' gradient sums the bias's gradient. Returns how many operations are removed.
int fuse_epilogue(Graph& graph, const Settings& settings) { return FuseEpilogue(graph, settings).run(); }

}  // namespace assay::engine
