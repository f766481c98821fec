#include "engine/exec/traced.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>

#include "engine/graph/recorder.hpp"

namespace assay::engine {
namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

}  // namespace

const std::vector<Tensor>& Traced::operator()(std::span<const Tensor> arguments) {
  if (Recorder::current() != nullptr) {
    throw std::logic_error("traced function '" + name_ +
                           "' was called while another one is being recorded; call its plain function instead");
  }
  if (!settings().controls.on(Control::trace)) return eager_results_ = function_(arguments);
  Execution& execution = find_or_trace(arguments);
  ++replays_;
  return execution.run(arguments);
}

const std::vector<Tensor>& Traced::timed(std::span<const Tensor> arguments, std::vector<double>& nanoseconds) {
  Execution& execution = find_or_trace(arguments);
  nanoseconds.resize(execution.plan().steps.size());
  return execution.run(arguments, nanoseconds);
}

Execution& Traced::find_or_trace(std::span<const Tensor> arguments) {
  const auto fits = [&](const Entry& entry) {
    return std::ranges::equal(entry.types, arguments,
                              [](const TensorType& type, const Tensor& tensor) { return type == tensor.type(); }) &&
           entry.settings == settings();
  };
  const auto found = std::ranges::find_if(entries_, fits);
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
    return *found->execution;
  }
  Entry entry{{}, settings(), trace(arguments)};
  for (const Tensor& argument : arguments) entry.types.push_back(argument.type());
  entries_.push_front(std::move(entry));
  if (entries_.size() > most_plans) entries_.pop_back();
  return *entries_.front().execution;
}

std::unique_ptr<Execution> Traced::trace(std::span<const Tensor> arguments) {
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
