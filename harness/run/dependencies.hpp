#pragma once
#include <functional>
#include <optional>
#include <string>

#include "harness/run/case_command.hpp"
#include "harness/run/events.hpp"
#include "harness/run/run_state.hpp"
#include "harness/run/runner.hpp"
#include "harness/run/services.hpp"

namespace assay::harness {

/// A dependency that cannot be met. The case is not started.
struct UnmetDependency {
  CaseOutcome outcome;
  bool for_good = true;  // false: another attempt may help (a service that did not come up)
};

/// Gives each case what it needs of other cases: artifacts that the run has made, and services, which it starts and
/// ends. Keeps references to its arguments.
class Dependencies {
 public:
  /// `record` takes the record of a service when it ends.
  Dependencies(const RunPlan& plan, const CaseSettings& settings, const RunState& state, const std::atomic<bool>& stop,
               std::function<void(const nlohmann::json&)> record);

  /// Fills in the artifacts and services of `member`; returns why it cannot be started, if it cannot.
  std::optional<UnmetDependency> meet(const ProgramConfiguration& member, std::uint64_t seed, CaseInputs& inputs);
  /// What a wait for a case must call now and then: null while no service runs.
  std::function<void()> idle();
  void end_services_unneeded_from(std::size_t step);
  void end_services() { services_.keep_only({}); }

 private:
  std::optional<UnmetDependency> meet_artifact(const Dependency& need, const ProgramConfiguration& from,
                                               std::uint64_t seed, CaseInputs& inputs) const;
  std::optional<UnmetDependency> meet_service(const Dependency& need, const ProgramConfiguration& from,
                                              std::uint64_t seed, CaseInputs& inputs);

  const RunPlan& plan_;
  const CaseSettings& settings_;
  const RunState& state_;
  const std::atomic<bool>& stop_;
  Services services_;
};

}  // namespace assay::harness
