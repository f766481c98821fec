#include "harness/gate/execute.hpp"

#include <chrono>
#include <set>

#include "harness/run/remaining_time.hpp"

namespace assay::harness {
namespace {

using Clock = std::chrono::steady_clock;

/// Says whether the next step still fits, by the time of earlier steps; a configuration that never ran counts as the
/// mean of all.
class Budget {
 public:
  explicit Budget(double seconds) : seconds_(seconds) {}

  void add(const nlohmann::json& record) {
    if (record.at("record") != "process") return;
    estimate_.add(ProgramConfiguration{record.at("program"), record.at("configuration")}.label(), record.at("wall_s"));
    any_ = true;
  }
  bool allows(const ScheduleStep& step) const {
    double needed = 0;
    if (any_)
      for (const auto& member : step.members) needed += estimate_.seconds(member.label());
    return std::chrono::duration<double>(Clock::now() - begin_).count() + needed <= seconds_;
  }

 private:
  double seconds_;
  bool any_ = false;
  Clock::time_point begin_ = Clock::now();
  RemainingTime estimate_;
};

}  // namespace

RunOutcome execute_gate(const GatePlan& plan, const HostContext& host,
                        const std::function<void(const Progress&)>& progress, const std::atomic<bool>& stop) {
  SequentialGate gate = plan.sequential_gate();
  Budget budget(plan.terms.budget_s);
  std::set<std::string> counted;
  for (const auto& benchmark : plan.selection.both)
    if (benchmark.exact()) counted.insert(benchmark.configuration);
  RunObserver watch;
  watch.wanted = [&](std::size_t step) {
    const GatePlace& place = plan.places[step];
    if (place.stage == 0 && !counted.contains(place.configuration)) return true;  // others need its artifacts
    return gate.wants(step) && budget.allows(plan.run.steps[step]);
  };
  watch.seen = [&](const nlohmann::json& record) {
    gate.apply(record);
    budget.add(record);
  };
  return execute(plan.run, host, progress, stop, watch);
}

}  // namespace assay::harness
