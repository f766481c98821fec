#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/controls/controls.hpp"
#include "engine/data/counters.hpp"
#include "engine/data/pipeline_error.hpp"

namespace assay::engine {

/// "As many as fit": of threads and of buffered elements.
constexpr int automatic = 0;

/// What may be asked for at most: of threads, and of elements that lie ready. More is a mistake, and would take the
/// machine down before it was noticed.
constexpr int most_threads = 4096, most_ahead = 1 << 16;

/// "1 thread", "2 threads".
inline std::string threads_text(int number) { return std::to_string(number) + (number == 1 ? " thread" : " threads"); }

/// How a pipeline is read.
struct ReadOptions {
  std::uint64_t seed = 0;
  ControlSet controls{};
  int cores = 1;                                // that the process may use
  int training_threads = 1;                     // of the consumer, busy while it isn't waiting for an element
  std::size_t memory = std::size_t{256} << 20;  // bytes that buffers of an automatic depth may take
  ClockFunction clock = clock_ns;               // tests give a clock of their own
};

/// What autotuning may set of a stage, and what it set. The thread that reads the stage looks at it before each
/// element.
struct Knobs {
  std::atomic<int> workers{0};  // threads of the stage's own
  std::atomic<int> depth{1};    // elements, blocks or batches in flight
  bool tunes_workers = false, tunes_depth = false;
  int most_depth = 1;
  bool calls_map = false;  // the stage's work is calls of a map, done in jobs:
  int most_calls = 1;      // calls a job at most
  double job_ns = 0;       // above 0: as many as take this long and give no more than job_bytes; 0: always the most
  double job_bytes = 0;
  bool makes_batch = false;  // a job's results are one element of the stage
};

/// Calls of the map in one job where one takes `call_ns` and gives `bytes`.
int calls_a_job(const Knobs& knobs, double call_ns, double bytes);

struct CachedElements;

/// What is kept of a stage while its pipeline is read, over epochs.
struct StageState {
  std::string path, description;
  StageCounters counters;
  Knobs knobs;
  Counter most_at_once;  // calls of the map that ran at the same time
  std::shared_ptr<const CachedElements> cache;
  std::string cached_identity;  // of what a file cache holds
  bool opened = false;          // it has knobs
};

using CountsByPath = std::map<std::string, StageCounts>;

/// What the cursors of one reader share.
class Reading {
 public:
  explicit Reading(const ReadOptions& wanted) : options(wanted) {}

  const ReadOptions options;
  std::int64_t now_ns() const { return options.clock(); }

  /// Of the stage at `path`. The first time `first` sets it up, before any other thread can see it.
  StageState& state(const std::string& path, const std::string& description,
                    const std::function<void(StageState&)>& first = {});
  /// Every stage that was opened, by path: the last stage first, a stage before its inputs.
  std::vector<const StageState*> states() const;

  /// Ends the epoch: whatever reads in it throws Cancelled.
  void stop_epoch();
  /// Once nothing of the last epoch is left. Remembers the counters as they are, and the consumer's times.
  void begin_epoch(double waited, double trained);
  struct EpochBegin {
    CountsByPath counts;
    double waited = 0, trained = 0;  // ns
  };
  EpochBegin at_epoch_begin() const;
  /// From any thread: ends this epoch and every later one.
  void cancel();
  bool stopped() const { return stop_.stop_requested(); }
  std::stop_token stop_token() const { return stop_.get_token(); }
  void throw_if_stopped() const {
    if (stopped()) throw Cancelled();
  }

  /// Threads of all stages: alive now, and at most so far.
  int threads() const { return threads_.load(); }
  int most_threads() const { return most_threads_.load(); }
  void started_thread();
  void ended_thread() { --threads_; }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<StageState>> states_;
  EpochBegin at_epoch_begin_;
  std::stop_source stop_;  // of the epoch; replaced by the consumer while no other thread but a canceller is there
  bool cancelled_ = false;
  std::atomic<int> threads_{0}, most_threads_{0};
};

/// A cursor about to be opened: for which epoch, and where in the pipeline ("0", its first input "0.0").
struct Opening {
  Reading& reading;
  std::uint64_t epoch = 0;
  std::string path = "0";
  std::string description{};
  std::uint64_t random_before = 0;  // stages that may draw random numbers, counted before those of the cursor
  std::uint64_t random_key = 0;     // mixed into the cursor's seed

  StageState& state(const std::function<void(StageState&)>& first = {}) const {
    return reading.state(path, description, first);
  }
};

}  // namespace assay::engine
