#include "engine/exec/plan.hpp"

#include <algorithm>
#include <optional>

#include "engine/graph/passes/plan_memory.hpp"

namespace assay::engine {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Updates are element-wise, so on a packed buffer they run over its elements in memory order. The padding stays zero,
/// since its gradient is zero.
TensorType as_kernel_sees(Op op, const TensorType& type) {
  if (!is_update(op) || type.layout.kind != Layout::Kind::opaque) return type;
  return {type.dtype, Shape{static_cast<std::int64_t>(type.bytes() / size_of(type.dtype))}, {}};
}

class Planner {
 public:
  Planner(Graph graph, const Settings& settings)
      : graph_(std::move(graph)), target_{Device::cpu, settings.threads, nullptr} {
    plan_.settings = settings;
    const bool changes_nothing = std::ranges::all_of(graph_.states, [](const StateSlot& s) { return s.written < 0; });
    if (changes_nothing && settings.inference_threads > 0 && settings.controls.on(Control::choose_threads))
      plan_.settings.threads = target_.threads = std::min(settings.threads, settings.inference_threads);
    target_.controls = &plan_.settings.controls;
    plan_.recorded_nodes = graph_.nodes.size();
    plan_.passes = run_passes(graph_, plan_.settings);
  }

  std::shared_ptr<const Plan> run() {
    find_roots();
    place_sources();
    place_results_and_states();
    place_in_arena();
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (graph_.nodes[n].operation.op != Op::reshape) plan_.steps.push_back(step(graph_.nodes[n]));
    }
    // A result may be the old value of a variable, so results are copied before states.
    std::ranges::stable_partition(late_copies_,
                                  [](const LateCopy& copy) { return copy.to.kind == Location::Kind::result; });
    for (auto& copy : late_copies_)
      plan_.copies.push_back({location(copy.value), copy.to, graph_.type(copy.value).bytes()});
    for (const Step& s : plan_.steps) plan_.workspace_bytes = std::max(plan_.workspace_bytes, s.prepared.workspace);
    for (const auto& s : plan_.states)
      plan_.workspace_bytes = std::max({plan_.workspace_bytes, s.pack.workspace, s.unpack.workspace});
    return std::make_shared<const Plan>(std::move(plan_));
  }

 private:
  struct LateCopy {
    int value;
    Location to;
  };

  int root(int value) const { return roots_[at(value)]; }
  const Location& location(int value) const { return *locations_[at(root(value))]; }

  /// A reshape shares the memory of its input: its root is the value that it views.
  void find_roots() {
    for (std::size_t v = 0; v < graph_.values.size(); ++v) roots_.push_back(static_cast<int>(v));
    producer_.assign(graph_.values.size(), -1);
    last_use_.assign(graph_.values.size(), -1);
    locations_.resize(graph_.values.size());
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const Node& node = graph_.nodes[n];
      if (node.operation.op == Op::reshape) roots_[at(node.out[0])] = root(node.in[0]);
      for (const int value : node.in) last_use_[at(root(value))] = static_cast<int>(n);
      for (const int value : node.out) {
        producer_[at(value)] = static_cast<int>(n);
        last_use_[at(root(value))] = std::max(last_use_[at(root(value))], static_cast<int>(n));
      }
    }
  }

  Prepared reorder(const TensorType& from, const TensorType& to) const {
    return prepare({Op::reorder, {}}, std::span(&from, 1), std::span(&to, 1), target_, plan_.settings.only);
  }

  void place_sources() {
    for (std::size_t i = 0; i < graph_.arguments.size(); ++i)
      locations_[at(graph_.arguments[i])] = Location{Location::Kind::argument, i};
    for (std::size_t i = 0; i < graph_.states.size(); ++i) {
      const StateSlot& slot = graph_.states[i];
      PlannedState state{slot.variable, graph_.type(slot.read), slot.written >= 0, {}, {}};
      if (state.packed()) {
        state.pack = reorder(slot.variable.type(), state.type);
        if (state.written) state.unpack = reorder(state.type, slot.variable.type());
      }
      locations_[at(slot.read)] = Location{Location::Kind::state, i};
      plan_.states.push_back(std::move(state));
    }
    for (std::size_t v = 0; v < graph_.values.size(); ++v) {
      const GraphValue& value = graph_.values[v];
      if (value.source != Source::constant) continue;
      locations_[v] = Location{Location::Kind::constant, plan_.constants.size()};
      plan_.constants.push_back(value.type == value.constant.type() ? value.constant
                                                                    : packed(value.constant, value.type));
    }
  }

  Tensor packed(const Tensor& plain, const TensorType& type) const {
    const Prepared pack = reorder(plain.type(), type);
    const Tensor result = Tensor::empty(type);
    const auto state = pack.kernel->make_state();
    const auto workspace = make_storage(pack.workspace);
    Context context{workspace->data(), state.get()};
    const View in = plain.view(), out = result.view();
    pack.kernel->run({&in, 1}, {&out, 1}, context);
    return result;
  }

  /// Results and written states are made in their own memory where that is allowed, else copied there at the end.
  void place_results_and_states() {
    const auto claim = [&](int value, Location to, bool allowed) {
      const int r = root(value);
      if (allowed && producer_[at(r)] >= 0 && !locations_[at(r)]) {
        locations_[at(r)] = to;
      } else {
        late_copies_.push_back({r, to});
        last_use_[at(r)] = static_cast<int>(graph_.nodes.size());
      }
    };
    for (std::size_t i = 0; i < graph_.states.size(); ++i) {
      if (graph_.states[i].written >= 0)
        claim(graph_.states[i].written, {Location::Kind::state, i}, may_overwrite(graph_.states[i]));
    }
    for (std::size_t i = 0; i < graph_.results.size(); ++i) {
      plan_.results.push_back(graph_.type(graph_.results[i]));
      claim(graph_.results[i], {Location::Kind::result, i}, true);
    }
  }

  /// Whether the written value may be made in the state's own memory: every node has read the old value by then, the
  /// node that makes it at most in place.
  bool may_overwrite(const StateSlot& slot) const {
    const int maker = producer_[at(slot.written)], last = last_use_[at(slot.read)];
    if (root(slot.written) != slot.written || last > maker || graph_.type(slot.read) != graph_.type(slot.written))
      return false;
    if (std::ranges::any_of(late_copies_, [&](const LateCopy& copy) { return copy.value == slot.read; }) ||
        std::ranges::any_of(graph_.results, [&](int result) { return root(result) == slot.read; })) {
      return false;
    }
    const Node& node = graph_.nodes[at(maker)];
    for (std::size_t i = 0; i < node.in.size(); ++i) {
      if (root(node.in[i]) != slot.read) continue;
      const auto out = std::ranges::find(node.out, slot.written) - node.out.begin();
      if (reused_input(node.operation.op, node.in.size(), static_cast<std::size_t>(out)) != static_cast<int>(i))
        return false;
    }
    return true;
  }

  void place_in_arena() {
    const bool share = plan_.settings.controls.on(Control::plan_memory);
    std::vector<Buffer> buffers;
    std::vector<std::optional<std::size_t>> buffer_of(graph_.values.size());
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const Node& node = graph_.nodes[n];
      for (std::size_t i = 0; i < node.out.size(); ++i) {
        const int value = node.out[i];
        if (root(value) != value || locations_[at(value)]) continue;
        const int reused = reused_input(node.operation.op, node.in.size(), i);
        if (share && reused >= 0) {
          const int before = root(node.in[at(reused)]);
          const auto buffer = buffer_of[at(before)];
          if (buffer && last_use_[at(before)] == static_cast<int>(n) &&
              std::ranges::count_if(node.in, [&](int v) { return root(v) == before; }) == 1 &&
              graph_.type(before).bytes() == graph_.type(value).bytes()) {
            buffers[*buffer].last = std::max(buffers[*buffer].last, last_use_[at(value)]);
            buffer_of[at(value)] = buffer;
            continue;
          }
        }
        buffer_of[at(value)] = buffers.size();
        buffers.push_back({graph_.type(value).bytes(), static_cast<int>(n), last_use_[at(value)], 0});
      }
    }
    plan_.arena_bytes = plan_memory(buffers, share);
    for (std::size_t v = 0; v < graph_.values.size(); ++v) {
      if (buffer_of[v]) locations_[v] = Location{Location::Kind::arena, buffers[*buffer_of[v]].offset};
    }
  }

  Step step(const Node& node) const {
    const Op op = node.operation.op;
    Step result{op, {}, {}, {}};
    std::vector<TensorType> in, out;
    for (const int value : node.in) {
      in.push_back(as_kernel_sees(op, graph_.type(value)));
      result.in.push_back(location(value));
    }
    for (const int value : node.out) {
      out.push_back(as_kernel_sees(op, graph_.type(value)));
      result.out.push_back(location(value));
    }
    result.prepared = prepare(node.operation, in, out, target_, plan_.settings.only);
    return result;
  }

  Graph graph_;
  Plan plan_;
  Target target_;
  std::vector<int> roots_, producer_, last_use_;
  std::vector<std::optional<Location>> locations_;
  std::vector<LateCopy> late_copies_;
};

}  // namespace

int Plan::changes(Control control) const {
  const auto found = std::ranges::find(passes, control, &PassResult::control);
  return found == passes.end() ? 0 : found->changes;
}

std::shared_ptr<const Plan> make_plan(Graph graph, const Settings& settings) {
  return Planner(std::move(graph), settings).run();
}

}  // namespace assay::engine
