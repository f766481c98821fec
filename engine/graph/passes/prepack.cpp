#include "engine/graph/passes/prepack.hpp"

#include <algorithm>
#include <optional>

namespace assay::engine {
namespace {

/// One weight and all that touches it, where that fits the pattern of a dense layer or of a convolution that only runs
/// forward.
struct Weight {
  int value = -1;                       // the state or constant
  std::vector<int> forward, data;       // nodes: x times w, dy times w transposed
  std::optional<int> gradient, update;  // nodes: x transposed times dy, sgd or adam
};

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool is_matmul(const Node& node, bool transpose_a, bool transpose_b) {
  return node.operation.op == Op::matmul && node.operation.attributes.transpose_a == transpose_a &&
         node.operation.attributes.transpose_b == transpose_b;
}

class Prepack {
 public:
  Prepack(Graph& graph, const Settings& settings)
      : graph_(graph), settings_(settings), consumers_(consumers(graph)), makers_(producers(graph)) {}

  int run() {
    int packed = 0;
    for (std::size_t value = 0; value < graph_.values.size(); ++value) {
      if (!may_pack(static_cast<int>(value))) continue;
      const auto weight = match(static_cast<int>(value));
      if (weight && lower(*weight)) ++packed;
    }
    return packed;
  }

 private:
  /// A state or constant, or the cast of one that is made anew each time.
  bool may_pack(int value) const {
    const GraphValue& v = graph_.values[at(value)];
    const DType type = v.type.dtype;
    if (type != DType::float32 && type != DType::bfloat16 && type != DType::float16) return false;
    if (v.source == Source::state || v.source == Source::constant) return true;
    const Node* const maker = cast_of(value);
    return maker != nullptr && graph_.values[at(maker->in[0])].source == Source::state;
  }
  const Node* cast_of(int value) const {
    const int maker = makers_[at(value)];
    if (maker < 0 || graph_.nodes[at(maker)].operation.op != Op::cast) return nullptr;
    return &graph_.nodes[at(maker)];
  }
  bool is_result(int value) const { return std::ranges::find(graph_.results, value) != graph_.results.end(); }
  bool is_written(int value, const StateSlot* except) const {
    return std::ranges::any_of(graph_.states,
                               [&](const StateSlot& slot) { return &slot != except && slot.written == value; });
  }

  std::optional<Weight> match(int value) const {
    const Shape& shape = graph_.type(value).shape;
    if (is_result(value) || (shape.rank() != 2 && shape.rank() != 4)) return std::nullopt;
    Weight weight{value, {}, {}, {}, {}};
    for (const int n : consumers_[at(value)]) {
      const Node& node = graph_.nodes[at(n)];
      if (std::ranges::count(node.in, value) != 1) return std::nullopt;
      if ((is_matmul(node, false, false) || node.operation.op == Op::conv2d) && node.in[1] == value) {
        weight.forward.push_back(n);
      } else if (is_matmul(node, false, true) && node.in[1] == value) {
        weight.data.push_back(n);
      } else if (is_update(node.operation.op) && node.in[0] == value && !weight.update) {
        weight.update = n;
      } else {
        return std::nullopt;
      }
    }
    if (weight.forward.empty()) return std::nullopt;
    const bool is_state = graph_.values[at(value)].source == Source::state;
    const auto slot = std::ranges::find(graph_.states, value, &StateSlot::read);
    if (!weight.update) return is_state && slot->written >= 0 ? std::nullopt : std::optional(weight);
    if (!is_state || graph_.nodes[at(weight.forward[0])].operation.op != Op::matmul || weight.forward.size() != 1)
      return std::nullopt;
    return match_update(weight, *slot) ? std::optional(weight) : std::nullopt;
  }

  /// The gradient comes from one product and goes to the update alone; the optimizer's slots are touched by the update
  /// alone.
  bool match_update(Weight& weight, const StateSlot& slot) const {
    const Node& update = graph_.nodes[at(*weight.update)];
    const int gradient = update.in[1];
    if (consumers_[at(gradient)].size() != 1 || is_result(gradient) || is_written(gradient, nullptr)) return false;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (graph_.nodes[n].out[0] == gradient && is_matmul(graph_.nodes[n], true, false))
        weight.gradient = static_cast<int>(n);
    }
    if (!weight.gradient || slot.written != update.out[0]) return false;
    const std::size_t slots = update.out.size() - 1;
    for (std::size_t i = 0; i <= slots; ++i) {
      const int before = update.in[i == 0 ? 0 : i + 1], after = update.out[i];
      const auto state = std::ranges::find(graph_.states, before, &StateSlot::read);
      if (state == graph_.states.end() || state->written != after || is_written(after, &*state)) return false;
      if (!consumers_[at(after)].empty() || is_result(after) ||
          (i > 0 && (consumers_[at(before)].size() != 1 || is_result(before))))
        return false;
    }
    return true;
  }

  Prepared ask(Op op, const Node& node, std::vector<TensorType> in, TensorType out) const {
    return prepare({op, op == Op::conv2d ? node.operation.attributes : Attributes{}}, in, std::span(&out, 1),
                   {Device::cpu, settings_.threads, &settings_.controls}, settings_.only);
  }

  bool lower(const Weight& weight) {
    TensorType any = graph_.type(weight.value);
    any.layout.kind = Layout::Kind::any;
    const bool dense = any.shape.rank() == 2;
    TensorType packed;
    try {
      const Node& first = graph_.nodes[at(weight.forward[0])];
      packed =
          ask(dense ? Op::inner_product : Op::conv2d, first, {graph_.type(first.in[0]), any}, graph_.type(first.out[0]))
              .in[1];
      if (packed.layout.kind != Layout::Kind::opaque) return false;
      if (const Node* const cast = cast_of(weight.value))
        prepare(cast->operation, std::span(&graph_.type(cast->in[0]), 1), std::span(&packed, 1),
                {Device::cpu, settings_.threads, &settings_.controls}, settings_.only);
      for (const int n : weight.forward) {
        const Node& node = graph_.nodes[at(n)];
        ask(dense ? Op::inner_product : Op::conv2d, node, {graph_.type(node.in[0]), packed}, graph_.type(node.out[0]));
      }
      for (const int n : weight.data) {
        const Node& node = graph_.nodes[at(n)];
        ask(Op::inner_product_data, node, {graph_.type(node.in[0]), packed}, graph_.type(node.out[0]));
      }
      if (weight.gradient) {
        const Node& node = graph_.nodes[at(*weight.gradient)];
        ask(Op::inner_product_weights, node, {graph_.type(node.in[0]), graph_.type(node.in[1])}, packed);
      }
    } catch (const Unsupported&) {
      return false;  // no back end packs this one: it stays plain
    }
    if (dense) {
      for (const int n : weight.forward) graph_.nodes[at(n)].operation = {Op::inner_product, {}};
      for (const int n : weight.data) graph_.nodes[at(n)].operation = {Op::inner_product_data, {}};
      if (weight.gradient) graph_.nodes[at(*weight.gradient)].operation = {Op::inner_product_weights, {}};
    }
    graph_.type(weight.value) = packed;
    if (!weight.update) return true;
    const Node& update = graph_.nodes[at(*weight.update)];
    graph_.type(update.in[1]) = packed;
    for (std::size_t i = 0; i < update.out.size(); ++i) {
      graph_.type(update.out[i]) = packed;
      if (i > 0) graph_.type(update.in[i + 1]) = packed;
    }
    return true;
  }

  Graph& graph_;
  const Settings& settings_;
  std::vector<std::vector<int>> consumers_;
  std::vector<int> makers_;
};

}  // namespace

int prepack(Graph& graph, const Settings& settings) { return Prepack(graph, settings).run(); }

}  // namespace assay::engine
