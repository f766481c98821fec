#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "engine/data/reading.hpp"

namespace assay::engine {

/// Jobs that threads do before their results are asked for: the one place where a pipeline has threads. A job is
/// fetched (one at a time, in order) and worked on (several at once); its result lies in a numbered slot that the owner
/// keeps. The consumer takes jobs in the order of fetching, or as they are done, and, where it `helps`, does jobs
/// itself rather than wait. Its destructor ends the threads after the jobs that they are at, which a stop of
/// the epoch cuts short.
class RunAhead {
 public:
  struct Jobs {
    std::function<bool(std::size_t slot)> fetch;  // false at the end of the input
    std::function<void(std::size_t slot)> work{};
  };
  struct Way {
    std::size_t slots = 2;  // jobs at most: fetched, not yet taken; one more is the consumer's
    bool in_order = true;
    bool helps = false;
  };

  RunAhead(Reading& reading, StageState& state, Jobs jobs, Way way);
  ~RunAhead();
  RunAhead(const RunAhead&) = delete;
  RunAhead& operator=(const RunAhead&) = delete;

  /// The slot of the next finished job, the consumer's until the next call; none at the end. `workers` threads, at most
  /// `depth` jobs from now on. Throws what the job threw, and Cancelled.
  std::optional<std::size_t> take(int workers, std::size_t depth);
  /// No more jobs are fetched: take() gives those that were, then none.
  void end();

 private:
  struct Job {
    bool done = false;
    std::exception_ptr error;
  };
  using Lock = std::unique_lock<std::mutex>;

  bool claimable() const { return !fetching_ && !ended_ && !free_.empty() && pending_.size() < depth_; }
  void grow(int workers);
  void serve(int number);
  void do_one(Lock& lock);
  void work_on(std::size_t slot, Lock& lock);
  void wake_consumer();
  std::optional<std::size_t> take_done();

  Reading& reading_;
  StageState& state_;
  const Jobs jobs_;
  const Way way_;
  std::mutex mutex_;
  std::condition_variable_any done_, room_;
  std::vector<Job> job_;             // by slot
  std::vector<std::size_t> free_;    // slots
  std::deque<std::size_t> pending_;  // slots in the order of fetching
  std::optional<std::size_t> taken_;
  std::size_t depth_ = 1;
  int workers_ = 0, at_work_ = 0;
  bool fetching_ = false, ended_ = false, stopping_ = false, consumer_waits_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace assay::engine
