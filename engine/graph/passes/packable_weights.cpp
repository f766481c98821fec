#include "engine/graph/passes/packable_weights.hpp"

#include <algorithm>

namespace assay::engine {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool is_matmul(const Node& node, bool transpose_a, bool transpose_b) {
  return node.operation.op == Op::matmul && node.operation.attributes.transpose_a == transpose_a &&
         node.operation.attributes.transpose_b == transpose_b;
}

class Matcher {
 public:
  explicit Matcher(const Graph& graph) : graph_(graph), consumers_(consumers(graph)), producers_(producers(graph)) {}

  std::vector<PackableWeight> run() const {
    std::vector<PackableWeight> found;
    for (int value = 0; value < static_cast<int>(graph_.values.size()); ++value) {
      if (!may_pack(value)) continue;
      if (auto weight = match(value)) found.push_back(std::move(*weight));
    }
    return found;
  }

 private:
  /// A state or constant, or the cast of one that is made anew each time.
  bool may_pack(int value) const {
    const GraphValue& v = graph_.values[at(value)];
    const DType type = v.type.dtype;
    if (type != DType::float32 && type != DType::bfloat16 && type != DType::float16) return false;
    if (v.source == Source::state || v.source == Source::constant) return true;
    const Node* const cast = cast_to(graph_, producers_, value);
    return cast != nullptr && graph_.values[at(cast->in[0])].source == Source::state;
  }
  bool is_result(int value) const { return std::ranges::find(graph_.results, value) != graph_.results.end(); }
  bool is_written(int value, const StateSlot* except) const {
    return std::ranges::any_of(graph_.states,
                               [&](const StateSlot& slot) { return &slot != except && slot.written == value; });
  }

  std::optional<PackableWeight> match(int value) const {
    const Shape& shape = graph_.type(value).shape;
    if (is_result(value) || (shape.rank() != 2 && shape.rank() != 4)) return std::nullopt;
    PackableWeight weight{value, {}, {}, {}, {}};
    if (!sort_consumers(weight) || weight.forward.empty()) return std::nullopt;
    const bool is_state = graph_.values[at(value)].source == Source::state;
    const auto slot = std::ranges::find(graph_.states, value, &StateSlot::read);
    if (!weight.update) return is_state && slot->written >= 0 ? std::nullopt : std::optional(weight);
    if (!is_state || graph_.nodes[at(weight.forward[0])].operation.op != Op::matmul || weight.forward.size() != 1)
      return std::nullopt;
    return match_update(weight, *slot) ? std::optional(weight) : std::nullopt;
  }

  /// Fills in the nodes that read the weight; false where one uses it for something else.
  bool sort_consumers(PackableWeight& weight) const {
    for (const int n : consumers_[at(weight.value)]) {
      const Node& node = graph_.nodes[at(n)];
      if (std::ranges::count(node.in, weight.value) != 1) return false;
      if ((is_matmul(node, false, false) || node.operation.op == Op::conv2d) && node.in[1] == weight.value) {
        weight.forward.push_back(n);
      } else if (is_matmul(node, false, true) && node.in[1] == weight.value) {
        weight.data.push_back(n);
      } else if (is_update(node.operation.op) && node.in[0] == weight.value && !weight.update) {
        weight.update = n;
      } else {
        return false;
      }
    }
    return true;
  }

  /// The gradient comes from one product and goes to the update alone; the optimizer's slots are touched by the update
  /// alone.
  bool match_update(PackableWeight& weight, const StateSlot& slot) const {
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

  const Graph& graph_;
  const std::vector<std::vector<int>> consumers_;
  const std::vector<int> producers_;
};

}  // namespace

std::vector<PackableWeight> find_packable_weights(const Graph& graph) { return Matcher(graph).run(); }

const Node* cast_to(const Graph& graph, const std::vector<int>& producers, int value) {
  const int maker = producers[at(value)];
  if (maker < 0 || graph.nodes[at(maker)].operation.op != Op::cast) return nullptr;
  return &graph.nodes[at(maker)];
}

}  // namespace assay::engine
