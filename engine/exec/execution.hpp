#pragma once
#include "engine/exec/plan.hpp"

namespace assay::engine {

/// One caller's memory for a plan: arena, packed states, results and the states of kernels. A replay allocates nothing
/// and prepares nothing. One thread at a time may use an execution; several executions of one plan may run at once.
class Execution final : public VariableHolder {
 public:
  explicit Execution(std::shared_ptr<const Plan> plan);
  /// Writes packed states back to their variables.
  ~Execution() override;
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  /// Runs the plan on arguments of the types that it was made for. The results stay valid until the next run; clone()
  /// what must last.
  const std::vector<Tensor>& run(std::span<const Tensor> arguments) { return run(arguments, {}); }
  /// The same, and adds to `nanoseconds` the time of each step, with the two readings of the clock.
  const std::vector<Tensor>& run(std::span<const Tensor> arguments, std::span<double> nanoseconds);
  /// Runs the plan `steps` times in one call. Each argument holds the arguments of all steps, one behind the other, and
  /// each result holds their results. Gives bit for bit what as many calls of run() give.
  const std::vector<Tensor>& run_steps(std::span<const Tensor> staged, std::int64_t steps);
  const Plan& plan() const { return *plan_; }

  /// Fetches the values that variables were assigned since the last run. run() does so by itself; call this where that
  /// must not be part of a measured time.
  void load_variables();
  void write_back(const Variable& variable) override;

 private:
  struct State {
    std::shared_ptr<Storage> packed;  // null: plain. Shared with other executions where the plan only reads it
    std::unique_ptr<KernelState> pack, unpack;
    std::byte* data = nullptr;  // where the views find it
    std::vector<std::size_t> views;
    std::uint64_t seen = 0;  // version of the variable that `packed` holds
    bool fresh = false;
  };
  struct ArgumentView {
    std::size_t view, argument;
  };

  std::byte* address(const Location& place) const;
  /// The kernels and copies of one step, on the arguments in `arguments_`.
  void run_kernels(std::span<double> nanoseconds);
  void mark_written();
  /// Where the kernels read an argument. A result of the last run is copied first, since this run writes to it.
  std::byte* argument_data(const Tensor& argument);
  void load_variable(std::size_t state);
  void bind(State& state, std::byte* data);
  void reorder(const Prepared& kernel, KernelState* state, std::byte* from, std::byte* to);

  std::shared_ptr<const Plan> plan_;
  std::shared_ptr<Storage> arena_, workspace_;
  std::vector<State> states_;
  std::vector<Tensor> results_;
  std::vector<View> views_;  // of all steps, one after the other
  std::vector<std::unique_ptr<KernelState>> kernel_states_;
  std::vector<ArgumentView> argument_views_;
  std::vector<std::byte*> arguments_;  // of the run in progress
  std::vector<Tensor> argument_copies_;
  std::vector<Tensor> staged_results_;  // of run_steps()
};

}  // namespace assay::engine
