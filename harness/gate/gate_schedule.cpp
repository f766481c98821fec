#include "harness/gate/gate_schedule.hpp"

#include <algorithm>
#include <set>

#include "harness/run/shuffle.hpp"

namespace assay::harness {
namespace {

class GateScheduler {
 public:
  GateScheduler(const std::vector<ProgramCatalogue>& programs, const std::vector<GateBenchmark>& benchmarks,
                std::uint64_t seed)
      : programs_(programs), seed_(seed) {
    for (const auto& benchmark : benchmarks) {
      auto& list = benchmark.exact() ? counted_ : timed_;
      if (std::find(list.begin(), list.end(), benchmark.configuration) == list.end())
        list.push_back(benchmark.configuration);
    }
    // The rounds of a timed configuration report its counts too.
    std::erase_if(counted_,
                  [this](const auto& one) { return std::find(timed_.begin(), timed_.end(), one) != timed_.end(); });
  }

  GateSchedule steps(int rounds_of_stage_one, std::uint64_t order_seed) {
    for (const auto& configuration : timed_) place_needs(configuration);
    for (const auto& configuration : counted_) place(configuration);
    for (const int stage : {1, 2}) {
      const int rounds = stage == 1 ? rounds_of_stage_one : stage_two_rounds;
      for (int round = 1; round <= rounds; ++round)
        for (const auto& configuration : timed_) {
          const int number =
              stage == 1 ? round : rounds_of_stage_one + round;  // the order is drawn from this number, so it is unique
          ScheduleStep step{configuration,
                            CaseKind::timed,
                            number,
                            seed_,
                            {{baseline_name, configuration},
                             {null_name, configuration},
                             {candidate_name, configuration},
                             {candidate_name, configuration}}};
          shuffle(step.members, SplitMix64(order_seed, configuration, number));
          add(std::move(step), {stage, round, configuration});
        }
    }
    return std::move(result_);
  }

 private:
  void add(ScheduleStep step, GatePlace where) {
    result_.steps.push_back(std::move(step));
    result_.places.push_back(std::move(where));
  }

  void place_needs(const std::string& configuration) {
    const ProgramConfiguration user{candidate_name, configuration};
    for (const auto& need : case_of(programs_, user).needs) {
      const ProgramConfiguration from = producer_of(programs_, candidate_name, need);
      if (case_of(programs_, from).kind == CaseKind::timed)
        throw CatalogueError(configuration + " needs '" + need.artifact + "' of " + from.configuration +
                             ", which is timed; only exact and trained cases make artifacts");
      if (case_of(programs_, from).kind == CaseKind::service)
        place_needs(from.configuration);
      else
        place(from.configuration);
    }
  }

  void place(const std::string& configuration) {
    if (placed_.contains(configuration)) return;
    if (!open_.insert(configuration).second) throw CatalogueError("needs go in a circle: " + configuration);
    place_needs(configuration);
    open_.erase(configuration);
    placed_.insert(configuration);
    const CaseKind kind = case_of(programs_, {candidate_name, configuration}).kind;
    std::vector<ProgramConfiguration> members{{candidate_name, configuration}};
    if (std::find(counted_.begin(), counted_.end(), configuration) != counted_.end())
      members.push_back({baseline_name, configuration});
    add({configuration, kind, 1, seed_, members}, {0, 1, configuration});
  }

  const std::vector<ProgramCatalogue>& programs_;
  std::uint64_t seed_;
  std::vector<std::string> timed_, counted_;
  std::set<std::string> placed_, open_;
  GateSchedule result_;
};

}  // namespace

GateSchedule gate_schedule(const std::vector<ProgramCatalogue>& programs, const std::vector<GateBenchmark>& benchmarks,
                           int rounds_of_stage_one, std::uint64_t seed, std::uint64_t order_seed) {
  return GateScheduler(programs, benchmarks, seed).steps(rounds_of_stage_one, order_seed);
}

}  // namespace assay::harness
