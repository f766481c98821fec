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

/// A function that is recorded at its first call with arguments of new types and replayed from then on. A number that
/// varies must be an argument, hence a tensor; any other number becomes part of the recording. Variables are read and
/// assigned at every call. With engine.trace off every call runs the function itself.
class TracedFunction {
 public:
  using Function = std::function<std::vector<Tensor>(std::span<const Tensor>)>;
  /// Plans kept at once; the least recently used one is dropped first.
  static constexpr std::size_t max_plans = 16;

  explicit TracedFunction(std::string name, Function function)
      : name_(std::move(name)), function_(std::move(function)) {}

  /// The results of a replay stay valid until the next call with the same types; clone() what must last.
  const std::vector<Tensor>& operator()(std::span<const Tensor> arguments);
  const std::vector<Tensor>& operator()(std::initializer_list<Tensor> arguments) {
    return (*this)(std::span<const Tensor>(arguments.begin(), arguments.size()));
  }

  /// Several calls in one: each argument stacks the arguments of all calls along a new first axis, and each result
  /// stacks their results. Results and variables are bit for bit those of as many calls. Throws std::invalid_argument
  /// where the arguments differ in their first dimension.
  const std::vector<Tensor>& run_steps(std::span<const Tensor> staged);

  /// Fetches the values that variables were assigned since the last call. The next call would do so; call this where
  /// that must not be part of a measured time.
  void load_variables() {
    if (!entries_.empty()) entries_.front().execution->load_variables();
  }

  /// Calls the function and adds the time of each step of the plan to `nanoseconds`, which grows as needed.
  const std::vector<Tensor>& profile(std::span<const Tensor> arguments, std::vector<double>& nanoseconds);

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
