#include "engine/graph/passes/passes.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "engine/kernels/group.hpp"

namespace assay::engine {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// An operation that treats every image alike, and how its operands and results are parted.
struct Row {
  Op op;
  std::vector<Part> in;
  Part out;
};

constexpr Part rows = Part::rows, whole = Part::whole;

const Row* row_of(Op op) {
  static const Row table[] = {
      {Op::scale, {rows}, rows},
      {Op::cast, {rows}, rows},
      {Op::relu, {rows}, rows},
      {Op::add_bias, {rows, whole}, rows},
      {Op::conv2d, {rows, whole, whole}, rows},
      {Op::max_pool, {rows}, rows},
      {Op::relu_gradient, {rows, rows}, rows},
      {Op::max_pool_gradient, {rows, rows}, rows},
      {Op::conv2d_data, {rows, whole}, rows},
      {Op::conv2d_weights, {rows, rows}, Part::sum},
  };
  const auto* const found = std::ranges::find(table, op, &Row::op);
  return found != std::end(table) ? found : nullptr;
}

bool is_convolution(Op op) { return op == Op::conv2d || op == Op::conv2d_data || op == Op::conv2d_weights; }
bool is_pooling(Op op) { return op == Op::max_pool || op == Op::max_pool_gradient; }

class TileBatch {
 public:
  TileBatch(Graph& graph, const Settings& settings)
      : graph_(graph), settings_(settings), consumers_(consumers(graph)) {}

  int run() {
    int joined = 0;
    std::vector<Node> nodes;
    std::vector<bool> taken(graph_.nodes.size());
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (taken[n]) continue;
      const auto members = worth_it(members_from(n));
      if (members.size() < 2) {
        nodes.push_back(graph_.nodes[n]);
        continue;
      }
      // Only neighbours join, so the group stands where its members stood.
      for (const std::size_t member : members) taken[member] = true;
      Node group = group_of(members, nodes);
      nodes.push_back(std::move(group));
      joined += static_cast<int>(members.size()) - 1;
    }
    graph_.nodes = std::move(nodes);
    return joined;
  }

 private:
  std::int64_t images(const Node& node) const {
    const Shape& shape = graph_.type(node.in[0]).shape;
    return shape.rank() == 4 ? shape[0] : 0;
  }
  /// Sums over slices are kept in float32.
  bool sums_wide(const Node& node) const {
    return row_of(node.operation.op)->out != Part::sum ||
           std::ranges::all_of(node.out, [&](int value) { return graph_.type(value).dtype == DType::float32; });
  }
  bool fits(const Node& node) const {
    return row_of(node.operation.op) != nullptr && images(node) > 0 &&
           std::ranges::all_of(node.in,
                               [&](int value) {
                                 const DType dtype = graph_.type(value).dtype;
                                 return dtype == DType::float32 || dtype == DType::int32 || dtype == DType::bfloat16 ||
                                        dtype == DType::float16;
                               }) &&
           sums_wide(node);
  }

  /// Node n and the neighbours after it that go on with its images: each reads a value that an earlier one made.
  std::vector<std::size_t> members_from(std::size_t n) const {
    std::vector<std::size_t> members;
    std::vector<int> made;
    for (std::size_t next = n; next < graph_.nodes.size(); ++next) {
      const Node& node = graph_.nodes[next];
      const bool follows =
          std::ranges::any_of(node.in, [&](int value) { return std::ranges::find(made, value) != made.end(); });
      if (!fits(node) || (!members.empty() && (!follows || images(node) != images(graph_.nodes[n])))) break;
      // A sum is whole only after the last slice.
      const auto is_sum = [&](std::size_t member) {
        const Node& other = graph_.nodes[member];
        return row_of(other.operation.op)->out == Part::sum &&
               std::ranges::any_of(other.out, [&](int v) { return std::ranges::find(node.in, v) != node.in.end(); });
      };
      if (std::ranges::any_of(members, is_sum)) break;
      members.push_back(next);
      made.insert(made.end(), node.out.begin(), node.out.end());
    }
    return members;
  }

  bool read_outside(int value, const std::vector<std::size_t>& members) const {
    return is_output(graph_, value) || std::ranges::any_of(consumers_[at(value)], [&](int reader) {
             return std::ranges::find(members, at(reader)) == members.end();
           });
  }

  /// The members, cut to where slicing helps: from a convolution to a pooling or the other way round, with values
  /// between them that no batch of this size keeps in the cache.
  std::vector<std::size_t> worth_it(std::vector<std::size_t> members) const {
    const auto any = [&](auto test) {
      return std::ranges::any_of(members, [&](std::size_t n) { return test(graph_.nodes[n].operation.op); });
    };
    if (!any(is_convolution) || !any(is_pooling)) return {};
    double inside = 0;
    for (const std::size_t n : members) {
      for (const int value : graph_.nodes[n].out) {
        if (!read_outside(value, members)) inside += static_cast<double>(graph_.type(value).bytes());
      }
    }
    const std::int64_t batch = images(graph_.nodes[members[0]]);
    if (rows_a_block(batch, inside / static_cast<double>(batch)) >= batch) return {};
    return members;
  }

  /// The layout that a convolution of a slice wants its weights in; nothing where that is the one they have.
  std::optional<TensorType> wanted_layout(const Node& node) const {
    const TensorType& weights = graph_.type(node.in[1]);
    if (weights.layout.kind != Layout::Kind::plain) return std::nullopt;
    std::vector<TensorType> in;
    for (const int value : node.in) in.push_back(graph_.type(value));
    in[0].shape = in[0].shape.with_rows(1);
    in[1].layout.kind = Layout::Kind::any;
    TensorType out = graph_.type(node.out[0]);
    out.shape = out.shape.with_rows(1);
    Operation one = node.operation;
    if (one.attributes.shape.rank() > 0) one.attributes.shape = one.attributes.shape.with_rows(1);
    try {
      const Target target{Device::cpu, 1, &settings_.controls};
      const TensorType chosen = prepare(one, in, std::span(&out, 1), target, settings_.only).in[1];
      if (chosen.layout.kind == Layout::Kind::opaque) return chosen;
    } catch (const Unsupported&) {
    }
    return std::nullopt;
  }

  /// The value that a member reads as operand i: reordered weights, made by a node of `before`, where those pay.
  int operand(const Node& node, std::size_t i, std::vector<Node>& before) {
    const Op op = node.operation.op;
    if (i != 1 || (op != Op::conv2d && op != Op::conv2d_data)) return node.in[i];
    const auto type = wanted_layout(node);
    if (!type) return node.in[i];
    const int reordered = graph_.add_value({*type, Source::node, {}});
    before.push_back({{Op::reorder, {}}, {node.in[i]}, {reordered}});
    return reordered;
  }

  Node group_of(const std::vector<std::size_t>& members, std::vector<Node>& before) {
    Node all{{Op::batch_tiles, {}}, {}, {}};
    auto group = std::make_shared<Group>();
    std::map<int, int> made;  // a graph's value to the group's
    for (const std::size_t n : members) {
      const Node node = graph_.nodes[n];
      const Row& row = *row_of(node.operation.op);
      FusedOperation member{node.operation, {}, {}, std::vector<Part>(node.out.size(), row.out)};
      for (std::size_t i = 0; i < node.in.size(); ++i) {
        if (const auto own = made.find(node.in[i]); own != made.end()) {
          member.in.push_back(-1 - own->second);
          continue;
        }
        const int value = operand(node, i, before);
        const auto known = std::ranges::find(all.in, value);
        member.in.push_back(static_cast<int>(known - all.in.begin()));
        if (known != all.in.end()) continue;
        all.in.push_back(value);
        group->in.push_back(row.in[i]);
      }
      for (const int value : node.out) {
        const int number = static_cast<int>(made.size());
        made.emplace(value, number);
        member.out.push_back(graph_.type(value));
        if (!read_outside(value, members)) continue;
        all.out.push_back(value);
        group->out.push_back(number);
      }
      group->operations.push_back(std::move(member));
    }
    all.operation.group = std::move(group);
    return all;
  }

  Graph& graph_;
  const Settings& settings_;
  std::vector<std::vector<int>> consumers_;
};

}  // namespace

/// Control engine.tile_batch: convolutions, poolings and what lies between them run as one group on a few images at a
/// time (Op::batch_tiles), each thread on images of its own, where a whole batch of the values between them would not
/// fit the cache. Gradients of weights are summed over the tiles. Weights are brought into the layout that the tiles
/// want once a call. Returns how many operations joined another.
int tile_batch(Graph& graph, const Settings& settings) { return TileBatch(graph, settings).run(); }

}  // namespace assay::engine
