#include "engine/graph/passes/passes.hpp"

#include <algorithm>
#include <optional>

namespace assay::engine {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

class FuseElementwise {
 public:
  explicit FuseElementwise(Graph& graph) : graph_(graph), consumers_(consumers(graph)), dead_(graph.nodes.size()) {}

  int run() {
    int joined = 0;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (dead_[n] || !can_join(n)) continue;
      std::vector<std::size_t> chain{n};
      for (auto next = follower(n); next; next = follower(*next)) chain.push_back(*next);
      if (chain.size() < 2) continue;
      for (const std::size_t member : chain) dead_[member] = true;
      dead_[chain.back()] = false;
      graph_.nodes[chain.back()] = fuse(chain);
      joined += static_cast<int>(chain.size()) - 1;
    }
    erase_nodes(graph_, dead_);
    return joined;
  }

 private:
  const Shape& shape(int value) const { return graph_.type(value).shape; }

  /// Element-wise on operands of the result's shape, the second at most a scalar.
  bool can_join(std::size_t n) const {
    const Node& node = graph_.nodes[n];
    return is_elementwise(node.operation.op) && std::ranges::all_of(node.in, [&](int value) {
             return shape(value) == shape(node.out[0]) || (value != node.in[0] && shape(value).elements() == 1);
           });
  }

  /// The node that alone reads what node n makes, can join it and has not joined another.
  std::optional<std::size_t> follower(std::size_t n) const {
    const int value = graph_.nodes[n].out[0];
    if (consumers_[at(value)].size() != 1 || is_output(graph_, value)) return std::nullopt;
    const std::size_t next = at(consumers_[at(value)][0]);
    if (dead_[next] || !can_join(next) || shape(graph_.nodes[next].out[0]) != shape(value)) return std::nullopt;
    return next;
  }

  Node fuse(const std::vector<std::size_t>& chain) const {
    Node fused{{Op::fused_elementwise, {}}, {}, graph_.nodes[chain.back()].out};
    const std::int64_t elements = shape(fused.out[0]).elements();
    auto group = std::make_shared<Group>();
    int before = -1;
    for (const std::size_t n : chain) {
      const Node& node = graph_.nodes[n];
      FusedOperation member{node.operation, {}, {graph_.type(node.out[0])}, {Part::rows}};
      for (const int value : node.in) {
        if (value == before) {
          member.in.push_back(-static_cast<int>(group->operations.size()));  // the result of the operation before
          continue;
        }
        const auto known = std::ranges::find(fused.in, value);
        member.in.push_back(static_cast<int>(known - fused.in.begin()));
        if (known != fused.in.end()) continue;
        fused.in.push_back(value);
        group->in.push_back(shape(value).elements() == elements ? Part::rows : Part::whole);
      }
      before = node.out[0];
      group->operations.push_back(std::move(member));
    }
    group->out = {static_cast<int>(group->operations.size()) - 1};
    fused.operation.group = std::move(group);
    return fused;
  }

  Graph& graph_;
  std::vector<std::vector<int>> consumers_;
  std::vector<bool> dead_;
};

}  // namespace

/// Control engine.fuse_elementwise: element-wise operations of one shape, each of which only feeds the next, become one
/// node that runs them block by block, with the same values bit for bit. Returns how many operations joined another.
int fuse_elementwise(Graph& graph, const Settings&) { return FuseElementwise(graph).run(); }

}  // namespace assay::engine
