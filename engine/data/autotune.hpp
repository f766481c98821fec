#pragma once
#include <map>
#include <string>
#include <vector>

#include "engine/data/work.hpp"

namespace assay::engine {

/// What autotuning set, and why, in words.
struct Tuned {
  std::string path, stage, choice, reason;
};

/// How many threads of its own a stage gets, as arithmetic: times in ns for one element of the consumer.
struct Load {
  double work = 0;      // of all stages
  double training = 0;  // of the consumer, between elements
  int cores = 1, training_threads = 1;
  bool prefetched = false;  // a thread reads the stage: the consumer's core does no work of the pipeline
};
/// The least threads that sustain the rate which cores and consumer allow, rate = min(1 / training, cores / (work +
/// training threads x training)); at most as many as the training threads leave cores, and one more where the consumer
/// sleeps before a prefetch for most of the time.
struct ThreadsNeeded {
  int workers = 0;
  double rate = 0;  // elements a second that are then possible
  int most = 0;     // the budget that applied
};
ThreadsNeeded threads_needed(const Load& load);
/// How many threads at most are worth starting for an epoch of `work` ns.
int threads_worth_starting(double work);

/// What the consumer did so far.
struct Consumed {
  std::int64_t elements = 0;  // taken in all
  std::int64_t epoch = 0;     // elements of an epoch, once one has ended
  double training = 0;        // ns between elements, in all
};

/// Sets the knobs of a reading from what was measured since the last look.
class Autotuner {
 public:
  explicit Autotuner(Reading& reading) : reading_(reading) {}

  void look(const Consumed& consumed);
  /// The choices that stand.
  std::vector<Tuned> choices() const;

 private:
  /// What there is to give out, of threads.
  struct Budget {
    Load load;              // an element's
    double spread = 0;      // of its work: maps whose threads are tuned, those that have not got any yet
    double serial = 0;      // what one thread does, whichever it is
    double epoch = 0;       // elements, 0 where none has ended
    int taken = 0;          // threads of stages: set by hand, and given out
    int taken_by_maps = 0;  // of these, maps'
  };

  Budget budget(const std::vector<StageWork>& work, const Consumed& since, std::int64_t epoch) const;
  void tune_prefetch(const StageWork& stage, Budget& budget);
  void tune_map(const StageWork& stage, Budget& budget, const std::vector<StageWork>& all, double elements);
  void tune_depth(const StageWork& stage, double memory);
  void set_workers(const StageState& state, int workers, const std::string& reason);

  Reading& reading_;
  CountsByPath seen_;
  Consumed consumed_;
  std::map<std::string, int> proposed_;
  std::map<std::string, Tuned> choices_;
};

}  // namespace assay::engine
