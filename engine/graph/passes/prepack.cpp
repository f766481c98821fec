#include <optional>

#include "engine/graph/passes/packable_weights.hpp"
#include "engine/graph/passes/passes.hpp"

namespace assay::engine {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

class Prepack {
 public:
  Prepack(Graph& graph, const Settings& settings) : graph_(graph), settings_(settings), producers_(producers(graph)) {}

  int run() {
    int packed = 0;
    for (const PackableWeight& weight : find_packable_weights(graph_)) {
      const auto type = packed_type(weight);
      if (!type) continue;
      lower(weight);
      set_types(weight, *type);
      ++packed;
    }
    return packed;
  }

 private:
  const Node& node(int n) const { return graph_.nodes[at(n)]; }
  bool is_dense(const PackableWeight& weight) const { return graph_.type(weight.value).shape.rank() == 2; }

  Prepared prepare_as(Op op, const Node& node, const std::vector<TensorType>& in, const TensorType& out) const {
    const Attributes attributes = op == Op::conv2d ? node.operation.attributes : Attributes{};
    return prepare({op, attributes}, in, std::span(&out, 1), target_for(settings_), settings_.only);
  }

  /// The layout that the back end chooses for the weight, where every node that touches it has a kernel for it.
  std::optional<TensorType> packed_type(const PackableWeight& weight) const {
    TensorType any = graph_.type(weight.value);
    any.layout.kind = Layout::Kind::any;
    const Op forward = is_dense(weight) ? Op::inner_product : Op::conv2d;
    try {
      const Node& first = node(weight.forward[0]);
      const TensorType packed =
          prepare_as(forward, first, {graph_.type(first.in[0]), any}, graph_.type(first.out[0])).in[1];
      if (packed.layout.kind != Layout::Kind::opaque) return std::nullopt;
      require_kernels(weight, forward, packed);
      return packed;
    } catch (const Unsupported&) {
      return std::nullopt;  // the weight stays plain
    }
  }

  /// Throws Unsupported where a node that touches the weight has no kernel for the layout.
  void require_kernels(const PackableWeight& weight, Op forward, const TensorType& packed) const {
    if (const Node* const cast = cast_to(graph_, producers_, weight.value))
      prepare(cast->operation, std::span(&graph_.type(cast->in[0]), 1), std::span(&packed, 1), target_for(settings_),
              settings_.only);
    for (const int n : weight.forward)
      prepare_as(forward, node(n), {graph_.type(node(n).in[0]), packed}, graph_.type(node(n).out[0]));
    for (const int n : weight.data)
      prepare_as(Op::inner_product_data, node(n), {graph_.type(node(n).in[0]), packed}, graph_.type(node(n).out[0]));
    if (!weight.gradient) return;
    const Node& gradient = node(*weight.gradient);
    prepare_as(Op::inner_product_weights, gradient, {graph_.type(gradient.in[0]), graph_.type(gradient.in[1])}, packed);
  }

  /// Turns the products of a dense layer into inner products.
  void lower(const PackableWeight& weight) {
    if (!is_dense(weight)) return;
    for (const int n : weight.forward) graph_.nodes[at(n)].operation = {Op::inner_product, {}};
    for (const int n : weight.data) graph_.nodes[at(n)].operation = {Op::inner_product_data, {}};
    if (weight.gradient) graph_.nodes[at(*weight.gradient)].operation = {Op::inner_product_weights, {}};
  }

  /// The weight, its gradient, its slots and what they become share the layout.
  void set_types(const PackableWeight& weight, const TensorType& packed) {
    graph_.type(weight.value) = packed;
    if (!weight.update) return;
    const Node& update = node(*weight.update);
    graph_.type(update.in[1]) = packed;
    for (std::size_t i = 0; i < update.out.size(); ++i) {
      graph_.type(update.out[i]) = packed;
      if (i > 0) graph_.type(update.in[i + 1]) = packed;
    }
  }

  Graph& graph_;
  const Settings& settings_;
  const std::vector<int> producers_;
};

}  // namespace

/// Control engine.prepack: dense layers become inner_product on weights in the layout that the back end asks for, which
/// is kept across updates (weights, their gradients and the optimizer's slots share it). Convolution weights that no
/// update changes are packed as well. A weight with another use stays as it is. Returns how many weights are packed.
int prepack(Graph& graph, const Settings& settings) { return Prepack(graph, settings).run(); }

}  // namespace assay::engine
