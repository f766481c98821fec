#pragma once
#include <map>
#include <string>
#include <vector>

#include "engine/data/stage_profile.hpp"
#include "engine/data/threads_needed.hpp"

namespace assay::engine {

/// What autotuning set for a stage, and why, in words.
struct TuningChoice {
  std::string path, stage, choice, reason;
};

/// What the consumer has done so far.
struct ConsumerProgress {
  std::int64_t elements = 0;            // taken in all
  std::int64_t elements_per_epoch = 0;  // 0 until an epoch has ended
  double training = 0;                  // ns between elements, in all
};

/// Sets the tunables of a pipeline from what its counters say since the last update.
class Autotuner {
 public:
  explicit Autotuner(PipelineContext& pipeline) : pipeline_(pipeline) {}

  void update(const ConsumerProgress& progress);
  /// The choices that stand.
  std::vector<TuningChoice> choices() const;

 private:
  /// The threads that are left to give out. Times in ns.
  struct Budget {
    ThreadLoad load;          // of one element
    double tunable_work = 0;  // of an element, in maps whose threads are tuned and not yet chosen
    double serial_work = 0;   // of an element, that one thread does
    double elements = 0;      // of an epoch; 0 until one has ended
    int threads = 0;          // that stages have: set by the user, and given out
    int map_threads = 0;      // of these, those of maps
  };

  Budget budget(const std::vector<StageProfile>& stages, const ConsumerProgress& since, std::int64_t epoch) const;
  void tune_prefetch(const StageProfile& stage, Budget& budget);
  void tune_map(const StageProfile& stage, Budget& budget, const std::vector<StageProfile>& all, double elements);
  void tune_depth(const StageProfile& stage, double memory);
  void set_workers(const StageState& state, int workers, const std::string& reason);

  PipelineContext& pipeline_;
  CountsByPath seen_;
  ConsumerProgress progress_;
  std::map<std::string, int> proposed_;
  std::map<std::string, TuningChoice> choices_;
};

}  // namespace assay::engine
