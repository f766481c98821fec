#include "engine/graph/passes/fuse_elementwise.hpp"

#include <algorithm>
#include <optional>

namespace assay::engine {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool is_elementwise(Op op) { return op == Op::relu || op == Op::relu_gradient || (op >= Op::add && op <= Op::cast); }

class FuseElementwise {
 public:
  explicit FuseElementwise(Graph& graph) : graph_(graph), consumers_(consumers(graph)), dead_(graph.nodes.size()) {}

  int run() {
    int joined = 0;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (dead_[n] || !can_join(n)) continue;
      std::vector<std::size_t> links{n};
      for (auto next = follower(n); next; next = follower(*next)) links.push_back(*next);
      if (links.size() < 2) continue;
      for (const std::size_t link : links) dead_[link] = true;
      dead_[links.back()] = false;
      graph_.nodes[links.back()] = chain_of(links);
      joined += static_cast<int>(links.size()) - 1;
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

  Node chain_of(const std::vector<std::size_t>& links) const {
    Node chain{{Op::fused_elementwise, {}}, {}, graph_.nodes[links.back()].out};
    const std::int64_t elements = shape(chain.out[0]).elements();
    auto group = std::make_shared<Group>();
    int before = -1;
    for (const std::size_t n : links) {
      const Node& node = graph_.nodes[n];
      Link link{node.operation, {}, {graph_.type(node.out[0])}, {Part::rows}};
      for (const int value : node.in) {
        if (value == before) {
          link.in.push_back(-static_cast<int>(group->links.size()));  // what the link before has made
          continue;
        }
        const auto known = std::ranges::find(chain.in, value);
        link.in.push_back(static_cast<int>(known - chain.in.begin()));
        if (known != chain.in.end()) continue;
        chain.in.push_back(value);
        group->in.push_back(shape(value).elements() == elements ? Part::rows : Part::whole);
      }
      before = node.out[0];
      group->links.push_back(std::move(link));
    }
    group->out = {static_cast<int>(group->links.size()) - 1};
    chain.operation.group = std::move(group);
    return chain;
  }

  Graph& graph_;
  std::vector<std::vector<int>> consumers_;
  std::vector<bool> dead_;
};

}  // namespace

int fuse_elementwise(Graph& graph, const Settings&) { return FuseElementwise(graph).run(); }

}  // namespace assay::engine
