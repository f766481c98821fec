#pragma once
#include <map>
#include <string>
#include <vector>

#include "engine/data/reading.hpp"

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

/// Sets the knobs of a reading from what was measured since the last look.
class Autotuner {
 public:
  explicit Autotuner(Reading& reading) : reading_(reading) {}

  /// The consumer took `elements` in all and spent `training` ns between them.
  void look(std::int64_t elements, double training);
  /// The choices that stand.
  std::vector<Tuned> choices() const;

 private:
  struct Seen {
    std::int64_t worked = 0, mapped = 0, found_empty = 0, blocked = 0, pulled = 0;
  };
  struct Change {
    StageState* state;
    Seen now, since;
    double work = 0;  // own, ns
  };

  std::vector<Change> changes();
  void tune_map(const Change& change, Load load, const std::vector<Change>& all);
  /// `serial`: ns an element of work that no map with threads of its own does.
  void tune_prefetch(StageState& state, const Load& load, double serial);
  void set_workers(StageState& state, int workers, const std::string& reason);
  void tune_depth(const Change& change);

  Reading& reading_;
  std::map<std::string, Seen> seen_;
  std::map<std::string, int> proposed_;
  std::map<std::string, Tuned> choices_;
  std::int64_t elements_ = 0;
  double training_ = 0;
};

}  // namespace assay::engine
