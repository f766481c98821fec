#pragma once
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/data/counters.hpp"
#include "engine/data/pipeline_error.hpp"
#include "engine/data/read_options.hpp"
#include "engine/data/tunables.hpp"

namespace assay::engine {

struct CachedElements;

/// What a reader keeps of a stage from epoch to epoch.
struct StageState {
  std::string path, description;
  StageCounters counters;
  Tunables tunables;
  Counter max_concurrency;  // calls of the map that ran at the same time
  std::shared_ptr<const CachedElements> cache;
  std::string cached_identity;   // of what a file cache holds
  bool counts_own_work = false;  // the stage may have threads, and adds up what they do
};

using CountsByPath = std::map<std::string, StageCounts>;

/// What all iterators of one reader share: options, the state of each stage, and the stop signal of the epoch.
class PipelineContext {
 public:
  explicit PipelineContext(const ReadOptions& wanted) : options(wanted) {}

  const ReadOptions options;
  std::int64_t now_ns() const { return options.clock(); }

  /// The state of the stage at `path`. `initialize` sets it up when it is made, before another thread can see it.
  StageState& state(const std::string& path, const std::string& description,
                    const std::function<void(StageState&)>& initialize = {});
  /// All states by path: the last stage first, a stage before its inputs.
  std::vector<const StageState*> states() const;

  /// Ends the epoch: every read in it throws Cancelled.
  void stop_epoch();
  /// Begins the next epoch, once no iterator of the last one is left. Remembers all counters and the consumer's times.
  void begin_epoch(double waited_ns, double trained_ns);
  struct EpochBegin {
    CountsByPath counts;
    double waited = 0, trained = 0;  // ns
  };
  EpochBegin at_epoch_begin() const;
  /// Ends this epoch and every later one. From any thread.
  void cancel();
  bool stopped() const { return stop_.stop_requested(); }
  std::stop_token stop_token() const { return stop_.get_token(); }
  void throw_if_stopped() const {
    if (stopped()) throw Cancelled();
  }

  /// Threads of all stages: now, and the most at one time.
  int threads() const { return threads_.load(); }
  int peak_threads() const { return peak_threads_.load(); }
  void thread_started();
  void thread_ended() { --threads_; }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<StageState>> states_;
  EpochBegin at_epoch_begin_;
  std::stop_source stop_;  // of the epoch; begin_epoch() replaces it when no other thread but a canceller is left
  bool cancelled_ = false;
  std::atomic<int> threads_{0}, peak_threads_{0};
};

}  // namespace assay::engine
