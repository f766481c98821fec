#include "engine/exec/execution.hpp"

#include <algorithm>
#include <cstring>

#include "engine/core/threads.hpp"

namespace assay::engine {

Execution::Execution(std::shared_ptr<const Plan> plan)
    : plan_(std::move(plan)),
      arena_(make_storage(plan_->arena_bytes, true)),
      workspace_(make_storage(plan_->workspace_bytes)) {
  for (const PlannedState& planned : plan_->states) {
    State state;
    if (planned.packed()) {
      state.packed = make_storage(planned.type.bytes(), true);
      state.pack = planned.pack.kernel->make_state();
      if (planned.written) state.unpack = planned.unpack.kernel->make_state();
    }
    states_.push_back(std::move(state));
  }
  for (const TensorType& type : plan_->results) results_.push_back(Tensor::empty(type));
  for (const Tensor& result : results_) written_.push_back(result.data());
  for (const PlannedState& state : plan_->states) {
    if (state.written) written_.push_back(state.variable.storage().data());
  }
  for (const Step& step : plan_->steps) {
    kernel_states_.push_back(step.prepared.kernel->make_state());
    const auto add = [&](const Place& place, const TensorType& type) {
      if (place.kind == Place::Kind::argument) argument_views_.push_back({views_.size(), place.index});
      views_.push_back({place.kind == Place::Kind::argument ? nullptr : address(place), &type});
    };
    for (std::size_t i = 0; i < step.in.size(); ++i) add(step.in[i], step.prepared.in[i]);
    for (std::size_t i = 0; i < step.out.size(); ++i) add(step.out[i], step.prepared.out[i]);
  }
}

Execution::~Execution() {
  for (const PlannedState& state : plan_->states) {
    if (state.variable.holder() == this) state.variable.settle();
  }
}

std::byte* Execution::address(const Place& place) const {
  switch (place.kind) {
    case Place::Kind::argument:
      return arguments_[place.index];
    case Place::Kind::state:
      return states_[place.index].packed ? states_[place.index].packed->data()
                                         : plan_->states[place.index].variable.storage().data();
    case Place::Kind::constant:
      return plan_->constants[place.index].data();
    case Place::Kind::result:
      return results_[place.index].data();
    case Place::Kind::arena:
      break;
  }
  return arena_->data() + place.index;
}

void Execution::reorder(const Prepared& kernel, KernelState* state, std::byte* from, std::byte* to) {
  const View in{from, &kernel.in[0]}, out{to, &kernel.out[0]};
  Context context{workspace_->data(), state};
  kernel.kernel->run({&in, 1}, {&out, 1}, context);
}

void Execution::bring_states_in() {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const PlannedState& planned = plan_->states[i];
    State& state = states_[i];
    if (planned.variable.holder() == this) continue;
    planned.variable.settle();
    if (!state.packed || (state.fresh && state.seen == planned.variable.version())) continue;
    reorder(planned.pack, state.pack.get(), planned.variable.storage().data(), state.packed->data());
    state.seen = planned.variable.version();
    state.fresh = true;
  }
}

void Execution::publish(const Variable& variable) {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (plan_->states[i].variable != variable) continue;
    set_team_size(plan_->settings.threads);
    reorder(plan_->states[i].unpack, states_[i].unpack.get(), states_[i].packed->data(), variable.storage().data());
  }
}

std::byte* Execution::stable(const Tensor& argument) {
  if (std::ranges::find(written_, argument.data()) == written_.end()) return argument.data();
  return argument_copies_.emplace_back(argument.clone()).data();
}

const std::vector<Tensor>& Execution::run(std::span<const Tensor> arguments) {
  set_team_size(plan_->settings.threads);
  bring_states_in();
  arguments_.resize(arguments.size());
  std::ranges::transform(arguments, arguments_.begin(), [this](const Tensor& argument) { return stable(argument); });
  for (const ArgumentView& patch : argument_views_) views_[patch.view].data = arguments_[patch.argument];

  const View* view = views_.data();
  for (std::size_t i = 0; i < plan_->steps.size(); ++i) {
    const Step& step = plan_->steps[i];
    Context context{workspace_->data(), kernel_states_[i].get()};
    step.prepared.kernel->run({view, step.in.size()}, {view + step.in.size(), step.out.size()}, context);
    view += step.in.size() + step.out.size();
  }
  for (const FinalCopy& copy : plan_->copies) std::memcpy(address(copy.to), address(copy.from), copy.bytes);
  argument_copies_.clear();

  for (std::size_t i = 0; i < states_.size(); ++i) {
    const PlannedState& planned = plan_->states[i];
    if (!planned.written) continue;
    planned.variable.changed(states_[i].packed ? this : nullptr);
    states_[i].seen = planned.variable.version();
  }
  return results_;
}

}  // namespace assay::engine
