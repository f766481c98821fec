#include "engine/graph/passes/passes.hpp"

#include <algorithm>

namespace assay::engine {
namespace {

using Updates = std::vector<std::size_t>;  // nodes, in order

std::span<const int> scalars_of(const Node& node) { return std::span(node.in).last(update_scalars(node.operation.op)); }

/// One node for the updates of a group: list after list, the scalars once.
Node joined(const Graph& graph, const Updates& group) {
  const Node& first = graph.nodes[group[0]];
  const std::size_t lists = update_lists(first.operation.op);
  Node all{first.operation, {}, {}};
  for (std::size_t list = 0; list < lists; ++list) {
    for (const std::size_t n : group) all.in.push_back(graph.nodes[n].in[list]);
  }
  const auto scalars = scalars_of(first);
  all.in.insert(all.in.end(), scalars.begin(), scalars.end());
  for (std::size_t list = 0; list + 1 < lists; ++list) {
    for (const std::size_t n : group) all.out.push_back(graph.nodes[n].out[list]);
  }
  return all;
}

}  // namespace

/// Control engine.fuse_update: updates (sgd, adam) with equal attributes, rates and switches become one over lists of
/// tensors. Returns how many updates are removed.
int fuse_update(Graph& graph, const Settings&) {
  const auto read_by = consumers(graph);
  std::vector<Updates> groups;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (!is_update(node.operation.op)) continue;
    // What is read inside the function cannot move to the end of the group.
    if (std::ranges::any_of(node.out, [&](int value) { return !read_by[static_cast<std::size_t>(value)].empty(); }))
      continue;
    const auto fits = [&](const Updates& group) {
      const Node& other = graph.nodes[group[0]];
      return other.operation == node.operation && graph.type(other.in[0]).dtype == graph.type(node.in[0]).dtype &&
             std::ranges::equal(scalars_of(other), scalars_of(node));
    };
    const auto found = std::ranges::find_if(groups, fits);
    if (found != groups.end()) {
      found->push_back(n);
    } else {
      groups.push_back({n});
    }
  }
  std::vector<bool> dead(graph.nodes.size());
  int gone = 0;
  for (const Updates& group : groups) {
    if (group.size() < 2) continue;
    Node all = joined(graph, group);
    for (const std::size_t n : group) dead[n] = true;
    dead[group.back()] = false;
    graph.nodes[group.back()] = std::move(all);
    gone += static_cast<int>(group.size()) - 1;
  }
  erase_nodes(graph, dead);
  return gone;
}

}  // namespace assay::engine
