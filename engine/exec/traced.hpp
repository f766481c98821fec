#pragma once
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "engine/exec/execution.hpp"

namespace assay::engine {

/// Nanoseconds that the last trace took, by part.
struct TraceTime {
  double record = 0;  // running the function once on symbols
  double plan = 0;    // passes, placing and preparing kernels
  double bind = 0;    // an execution's memory
  double total() const { return record + plan + bind; }
};

/// A function that is recorded at its first call with arguments of new types and replayed from then on. Arguments are
/// tensors: a number that varies must be one too, else it would be part of the recording. What the function reads or
/// assigns through Variables is read and assigned at every call. With engine.trace off every call runs the function
/// itself.
class Traced {
 public:
  using Function = std::function<std::vector<Tensor>(std::span<const Tensor>)>;
  /// Plans kept at once; the one used longest ago goes first.
  static constexpr std::size_t most_plans = 16;

  explicit Traced(std::string name, Function function) : name_(std::move(name)), function_(std::move(function)) {}

  /// The results of a replay stay valid until the next call with the same types; clone() what must last.
  const std::vector<Tensor>& operator()(std::span<const Tensor> arguments);
  const std::vector<Tensor>& operator()(std::initializer_list<Tensor> arguments) {
    return (*this)(std::span<const Tensor>(arguments.begin(), arguments.size()));
  }

  /// As many calls in one as the arguments have rows: each argument holds those of all calls, stacked along a new first
  /// axis, and so does each result. One look-up, one dispatch; results and variables are bit for bit those of as many
  /// calls. Throws std::invalid_argument where the arguments differ in their first dimension.
  const std::vector<Tensor>& steps(std::span<const Tensor> staged);

  /// Fetches what variables were assigned since the last call, which the next one would do; outside a timed call, say.
  void bring_states_in() {
    if (!entries_.empty()) entries_.front().execution->bring_states_in();
  }

  /// A call that adds to `nanoseconds`, one a step of the plan, what each step took; grown as needed.
  const std::vector<Tensor>& timed(std::span<const Tensor> arguments, std::vector<double>& nanoseconds);

  int traces() const { return traces_; }
  std::uint64_t replays() const { return replays_; }
  const TraceTime& last_trace() const { return last_trace_; }
  std::size_t plans() const { return entries_.size(); }
  /// The plan used last; null before the first traced call.
  const Plan* plan() const { return entries_.empty() ? nullptr : &entries_.front().execution->plan(); }

 private:
  struct Entry {
    std::vector<TensorType> types;
    Settings settings;
    std::unique_ptr<Execution> execution;
  };

  /// `staged`: the plan is for one row of each argument.
  Execution& find_or_trace(std::span<const Tensor> arguments, bool staged = false);
  std::unique_ptr<Execution> trace(std::span<const Tensor> arguments);
  void refuse_while_recording() const;

  std::string name_;
  Function function_;
  std::list<Entry> entries_;  // most recently used first
  std::vector<Tensor> eager_results_;
  int traces_ = 0;
  std::uint64_t replays_ = 0;
  TraceTime last_trace_;
};

}  // namespace assay::engine
