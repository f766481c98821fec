#include "engine/exec/execution.hpp"

#include <algorithm>
#include <chrono>
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
      if (planned.written) state.packed = make_storage(planned.type.bytes(), true);
      state.pack = planned.pack.kernel->make_state();
      if (planned.written) state.unpack = planned.unpack.kernel->make_state();
    }
    states_.push_back(std::move(state));
  }
  for (const TensorType& type : plan_->results) results_.push_back(Tensor::empty(type));
  for (const Step& step : plan_->steps) {
    kernel_states_.push_back(step.prepared.kernel->make_state());
    const auto add = [&](const Location& place, const TensorType& type) {
      const bool moves = place.kind == Location::Kind::argument || place.kind == Location::Kind::state;
      if (place.kind == Location::Kind::argument) argument_views_.push_back({views_.size(), place.index});
      if (place.kind == Location::Kind::state) states_[place.index].views.push_back(views_.size());
      views_.push_back({moves ? nullptr : address(place), &type});
    };
    for (std::size_t i = 0; i < step.in.size(); ++i) add(step.in[i], step.prepared.in[i]);
    for (std::size_t i = 0; i < step.out.size(); ++i) add(step.out[i], step.prepared.out[i]);
  }
}

Execution::~Execution() {
  for (const PlannedState& state : plan_->states) {
    if (state.variable.holder() == this) state.variable.sync();
  }
}

std::byte* Execution::address(const Location& place) const {
  switch (place.kind) {
    case Location::Kind::argument:
      return arguments_[place.index];
    case Location::Kind::state:
      return states_[place.index].data;
    case Location::Kind::constant:
      return plan_->constants[place.index].data();
    case Location::Kind::result:
      return results_[place.index].data();
    case Location::Kind::arena:
      break;
  }
  return arena_->data() + place.index;
}

void Execution::reorder(const Prepared& kernel, KernelState* state, std::byte* from, std::byte* to) {
  const View in{from, &kernel.in[0]}, out{to, &kernel.out[0]};
  Context context{workspace_->data(), state};
  kernel.kernel->run({&in, 1}, {&out, 1}, context);
}

void Execution::bind(State& state, std::byte* data) {
  if (state.data == data) return;
  state.data = data;
  for (const std::size_t view : state.views) views_[view].data = data;
}

void Execution::load_variable(std::size_t index) {
  const PlannedState& planned = plan_->states[index];
  const Variable& variable = planned.variable;
  State& state = states_[index];
  if (variable.holder() == this) return;
  variable.sync();
  if (!planned.packed()) {
    if (planned.written) variable.detach();
    return bind(state, variable.data());
  }
  if (state.fresh && state.seen == variable.version()) return;
  const auto pack_into = [&](Storage& storage) {
    reorder(planned.pack, state.pack.get(), variable.data(), storage.data());
  };
  if (planned.written) {
    pack_into(*state.packed);
  } else {
    state.packed = variable.packed(planned.type, [&] {
      auto storage = make_storage(planned.type.bytes(), true);
      pack_into(*storage);
      return storage;
    });
  }
  bind(state, state.packed->data());
  state.seen = variable.version();
  state.fresh = true;
}

void Execution::load_variables() {
  for (std::size_t i = 0; i < states_.size(); ++i) load_variable(i);
}

void Execution::write_back(const Variable& variable) {
  set_team_size(plan_->settings.threads);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (plan_->states[i].variable != variable) continue;
    reorder(plan_->states[i].unpack, states_[i].unpack.get(), states_[i].packed->data(), variable.data());
  }
  set_team_size(settings().threads);  // the caller may run with another team
}

std::byte* Execution::argument_data(const Tensor& argument) {
  const bool result = std::ranges::any_of(results_, [&](const Tensor& own) { return own.data() == argument.data(); });
  return result ? argument_copies_.emplace_back(argument.clone()).data() : argument.data();
}

const std::vector<Tensor>& Execution::run(std::span<const Tensor> arguments, std::span<double> nanoseconds) {
  load_variables();
  set_team_size(plan_->settings.threads);
  arguments_.resize(arguments.size());
  std::ranges::transform(arguments, arguments_.begin(),
                         [this](const Tensor& argument) { return argument_data(argument); });
  run_kernels(nanoseconds);
  argument_copies_.clear();
  mark_written();
  return results_;
}

const std::vector<Tensor>& Execution::run_steps(std::span<const Tensor> staged, std::int64_t steps) {
  if (staged_results_.empty() || staged_results_[0].shape()[0] != steps) {
    staged_results_.clear();
    for (const TensorType& type : plan_->results) {
      std::vector<std::int64_t> dims{steps};
      dims.insert(dims.end(), type.shape.dims().begin(), type.shape.dims().end());
      staged_results_.push_back(Tensor::empty({type.dtype, Shape(dims), {}}));
    }
  }
  load_variables();
  set_team_size(plan_->settings.threads);
  arguments_.resize(staged.size());
  for (std::int64_t step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < staged.size(); ++i)
      arguments_[i] = staged[i].data() +
                      staged[i].type().bytes() / static_cast<std::size_t>(steps) * static_cast<std::size_t>(step);
    run_kernels({});
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const std::size_t bytes = results_[i].type().bytes();
      std::memcpy(staged_results_[i].data() + bytes * static_cast<std::size_t>(step), results_[i].data(), bytes);
    }
  }
  mark_written();
  return staged_results_;
}

void Execution::run_kernels(std::span<double> nanoseconds) {
  using Clock = std::chrono::steady_clock;
  for (const ArgumentView& patch : argument_views_) views_[patch.view].data = arguments_[patch.argument];
  const View* view = views_.data();
  for (std::size_t i = 0; i < plan_->steps.size(); ++i) {
    const Step& step = plan_->steps[i];
    Context context{workspace_->data(), kernel_states_[i].get()};
    const auto start = nanoseconds.empty() ? Clock::time_point{} : Clock::now();
    step.prepared.kernel->run({view, step.in.size()}, {view + step.in.size(), step.out.size()}, context);
    if (!nanoseconds.empty()) nanoseconds[i] += std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    view += step.in.size() + step.out.size();
  }
  for (const FinalCopy& copy : plan_->copies) std::memcpy(address(copy.to), address(copy.from), copy.bytes);
}

void Execution::mark_written() {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const PlannedState& planned = plan_->states[i];
    if (!planned.written) continue;
    planned.variable.mark_changed(states_[i].packed ? this : nullptr);
    states_[i].seen = planned.variable.version();
  }
}

}  // namespace assay::engine
