#include "engine/exec/traced_function.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>

#include "engine/graph/recorder.hpp"

namespace assay::engine {
namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

/// The type of one of the tensors that were stacked.
TensorType row_of(const TensorType& stacked) {
  return {stacked.dtype, Shape(stacked.shape.dims().subspan(1)), stacked.layout};
}

/// The function called on row after row, its results stacked.
std::vector<Tensor> stacked_calls(const TracedFunction::Function& function, std::span<const Tensor> staged,
                                  std::int64_t steps) {
  std::vector<Tensor> stacked;
  for (std::int64_t step = 0; step < steps; ++step) {
    std::vector<Tensor> arguments;
    for (const Tensor& tensor : staged) {
      const TensorType type = row_of(tensor.type());
      const std::span all(tensor.data(), tensor.type().bytes());
      arguments.push_back(
          Tensor::from_bytes(type, all.subspan(type.bytes() * static_cast<std::size_t>(step), type.bytes())));
    }
    const auto results = function(arguments);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const TensorType& type = results[i].type();
      if (step == 0) {
        std::vector<std::int64_t> dims{steps};
        dims.insert(dims.end(), type.shape.dims().begin(), type.shape.dims().end());
        stacked.push_back(Tensor::empty({type.dtype, Shape(dims), {}}));
      }
      std::memcpy(stacked[i].data() + type.bytes() * static_cast<std::size_t>(step), results[i].data(), type.bytes());
    }
  }
  return stacked;
}

}  // namespace

const std::vector<Tensor>& TracedFunction::operator()(std::span<const Tensor> arguments) {
  refuse_while_recording();
  if (!settings().controls.on(Control::trace)) return eager_results_ = function_(arguments);
  Execution& execution = find_or_trace(arguments);
  ++replays_;
  return execution.run(arguments);
}

void TracedFunction::refuse_while_recording() const {
  if (Recorder::current() == nullptr) return;
  throw std::logic_error("traced function '" + name_ +
                         "' was called while another one is being recorded; call its plain function instead");
}

const std::vector<Tensor>& TracedFunction::run_steps(std::span<const Tensor> staged) {
  refuse_while_recording();
  const auto rows = [](const Tensor& tensor) { return tensor.shape().rank() == 0 ? 0 : tensor.shape()[0]; };
  if (staged.empty() || rows(staged[0]) == 0 ||
      std::ranges::any_of(staged, [&](const Tensor& tensor) { return rows(tensor) != rows(staged[0]); })) {
    throw std::invalid_argument("steps of '" + name_ +
                                "': expected arguments stacked along a first axis of one length, 1 or more");
  }
  const std::int64_t steps = rows(staged[0]);
  if (!settings().controls.on(Control::trace)) return eager_results_ = stacked_calls(function_, staged, steps);
  Execution& execution = find_or_trace(staged, true);
  replays_ += static_cast<std::uint64_t>(steps);
  return execution.run_steps(staged, steps);
}

const std::vector<Tensor>& TracedFunction::profile(std::span<const Tensor> arguments,
                                                   std::vector<double>& nanoseconds) {
  Execution& execution = find_or_trace(arguments);
  nanoseconds.resize(execution.plan().steps.size());
  return execution.run(arguments, nanoseconds);
}

Execution& TracedFunction::find_or_trace(std::span<const Tensor> arguments, bool staged) {
  const auto type_fits = [staged](const TensorType& type, const Tensor& tensor) {
    return staged ? type == row_of(tensor.type()) : type == tensor.type();
  };
  const auto fits = [&](const Entry& entry) {
    return std::ranges::equal(entry.types, arguments, type_fits) && entry.settings == settings();
  };
  const auto found = std::ranges::find_if(entries_, fits);
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
    return *found->execution;
  }
  std::vector<Tensor> one(arguments.begin(), arguments.end());
  if (staged) {
    for (Tensor& argument : one) argument = Tensor::symbolic(row_of(argument.type()), 0);  // only its type is read
  }
  Entry entry{{}, settings(), trace(one)};
  for (const Tensor& argument : one) entry.types.push_back(argument.type());
  entries_.push_front(std::move(entry));
  if (entries_.size() > max_plans) entries_.pop_back();
  return *entries_.front().execution;
}

std::unique_ptr<Execution> TracedFunction::trace(std::span<const Tensor> arguments) {
  if (++traces_ == 10) {
    std::clog << "assay: '" << name_ << "' was traced 10 times: every new shape or type is traced anew, at "
              << last_trace_.total() / 1e6 << " ms. Pad to a few sizes, or switch engine.trace off for it.\n";
  }
  const auto start = Clock::now();
  Graph graph = [&] {
    Recorder recorder(arguments);
    return recorder.finish(function_(recorder.arguments()));
  }();
  last_trace_.record = ns_since(start);
  const auto recorded = Clock::now();
  auto plan = make_plan(std::move(graph), settings());
  last_trace_.plan = ns_since(recorded);
  const auto planned = Clock::now();
  auto execution = std::make_unique<Execution>(std::move(plan));
  last_trace_.bind = ns_since(planned);
  return execution;
}

}  // namespace assay::engine
