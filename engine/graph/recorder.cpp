#include "engine/graph/recorder.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay::engine {
namespace {

thread_local Recorder* active = nullptr;

}  // namespace

Recorder::Recorder(std::span<const Tensor> arguments) {
  if (active != nullptr)
    throw std::logic_error(
        "a traced function was called while another one is being recorded; call its plain function instead");
  for (const Tensor& argument : arguments) {
    const int value = graph_.add_value({argument.type(), Source::argument, {}});
    graph_.arguments.push_back(value);
    arguments_.push_back(symbol(value));
  }
  set_current(this);
}

Recorder::~Recorder() { set_current(nullptr); }

void Recorder::set_current(Recorder* recorder) {
  active = recorder;
  VariableTracer::set_current(recorder);
}

Recorder* Recorder::current() { return active; }

Tensor Recorder::symbol(int value) {
  Tensor tensor = Tensor::symbolic(graph_.type(value), value);
  issued_.insert(tensor.id());
  return tensor;
}

/// Whether a node computes the value. Arguments, constants, variables and reshapes of these are not computed.
bool Recorder::is_computed(int value) const {
  for (auto node = graph_.nodes.rbegin(); node != graph_.nodes.rend(); ++node) {
    if (std::ranges::find(node->out, value) == node->out.end()) continue;
    return node->operation.op != Op::reshape || is_computed(node->in[0]);
  }
  return false;
}

int Recorder::value_of(const Tensor& tensor) {
  if (tensor.is_symbolic()) {
    if (!issued_.contains(tensor.id()))
      throw std::logic_error(
          "a tensor of an earlier recording was used in this one; pass it as an argument or a result");
    return tensor.symbol();
  }
  const auto [place, added] = constants_.try_emplace(tensor.id(), 0);
  if (added) place->second = graph_.add_value({tensor.type(), Source::constant, tensor});
  return place->second;
}

Tensors Recorder::record(const Operation& operation, std::span<const Tensor> in, std::span<const TensorType> out) {
  Node node{operation, {}, {}};
  for (const Tensor& tensor : in) node.in.push_back(value_of(tensor));
  Tensors results;
  for (const TensorType& type : out) {
    node.out.push_back(graph_.add_value({type, Source::node, {}}));
    results.push_back(symbol(node.out.back()));
  }
  graph_.nodes.push_back(std::move(node));
  return results;
}

StateSlot& Recorder::slot_of(const Variable& variable) {
  const auto known = std::ranges::find(graph_.states, variable, &StateSlot::variable);
  if (known != graph_.states.end()) return *known;
  graph_.states.push_back({variable, graph_.add_value({variable.type(), Source::state, {}}), -1});
  return graph_.states.back();
}

Tensor Recorder::read(const Variable& variable) {
  const StateSlot& slot = slot_of(variable);
  const int value = slot.written >= 0 ? slot.written : slot.read;
  const auto known = reads_.find(value);
  return known != reads_.end() ? known->second : reads_.emplace(value, symbol(value)).first->second;
}

void Recorder::write(const Variable& variable, const Tensor& value) {
  int written = value_of(value);
  if (!is_computed(written)) {
    // The variable gets a value of its own, so that assigning a value to two variables or exchanging two variables
    // needs no special rule.
    const Operation copy{Op::cast, {.dtype = value.dtype()}};  // a cast to its own type copies
    written = record(copy, std::span(&value, 1), std::span(&value.type(), 1))[0].symbol();
  }
  slot_of(variable).written = written;
}

Graph Recorder::finish(std::span<const Tensor> results) {
  for (const Tensor& result : results) graph_.results.push_back(value_of(result));
  set_current(nullptr);
  return std::move(graph_);
}

}  // namespace assay::engine
