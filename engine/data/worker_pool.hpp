#pragma once
#include <condition_variable>
#include <deque>
#include <optional>
#include <thread>

#include "engine/data/pipeline_context.hpp"

namespace assay::engine {

/// Threads that do the jobs of a stage before the results are asked for. No other part of a pipeline has threads.
///
/// A job has a numbered slot, whose contents belong to the owner of the pool. One thread at a time fetches the input of
/// a job; several work at once. The destructor waits for jobs that are being done; stopping the epoch cuts them short.
class WorkerPool {
 public:
  struct Jobs {
    std::function<bool(std::size_t slot)> fetch;  // false at the end of the input
    std::function<void(std::size_t slot)> work{};
  };
  struct Options {
    std::size_t slots = 2;        // jobs that are fetched and not yet taken; the consumer has one more
    bool in_order = true;         // results are taken in the order of fetching, otherwise as they are done
    bool consumer_helps = false;  // the consumer does jobs itself instead of waiting
  };

  WorkerPool(PipelineContext& context, StageState& state, Jobs jobs, Options options);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// The slot of the next finished job, or none at the end. The slot is the consumer's until the next call. From now on
  /// the pool has `workers` threads and at most `depth` jobs in flight. Throws what the job threw, and Cancelled.
  std::optional<std::size_t> take(int workers, std::size_t depth);
  /// Fetches no more jobs: take() gives those that were fetched, then none.
  void finish();

 private:
  struct Job {
    bool done = false;
    std::exception_ptr error;
  };
  using Lock = std::unique_lock<std::mutex>;

  bool can_fetch() const { return !fetching_ && !ended_ && !free_.empty() && pending_.size() < depth_; }
  void grow(int workers);
  void run_worker(int number);
  void do_one_job(Lock& lock);
  void work_on(std::size_t slot, Lock& lock);
  void wake_consumer();
  std::optional<std::size_t> take_done();

  PipelineContext& context_;
  StageState& state_;
  const Jobs jobs_;
  const Options options_;
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
