#include "engine/data/worker_pool.hpp"

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace assay::engine {

WorkerPool::WorkerPool(PipelineContext& context, StageState& state, Jobs jobs, Options options)
    : context_(context), state_(state), jobs_(std::move(jobs)), options_(options), job_(options.slots + 1) {
  for (std::size_t slot = 0; slot < job_.size(); ++slot) free_.push_back(slot);
}

WorkerPool::~WorkerPool() {
  {
    const Lock lock(mutex_);
    stopping_ = true;
  }
  room_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::optional<std::size_t> WorkerPool::take(int workers, std::size_t depth) {
  Lock lock(mutex_);
  if (taken_) {
    free_.push_back(*taken_);
    taken_.reset();
  }
  depth_ = std::clamp<std::size_t>(depth, 1, options_.slots);
  workers_ = workers;
  grow(workers);
  room_.notify_all();
  bool asked = false;
  while (true) {
    context_.throw_if_stopped();
    if (const auto slot = take_done()) {
      taken_ = slot;
      if (job_[*slot].error) std::rethrow_exception(std::exchange(job_[*slot].error, nullptr));
      return slot;
    }
    if (pending_.empty() && ended_) return std::nullopt;
    if (!asked) state_.counters.found_empty.add(1);
    asked = true;
    if (options_.consumer_helps && can_fetch()) {
      do_one_job(lock);
      continue;
    }
    consumer_waits_ = true;
    done_.wait(lock, context_.stop_token(), [&] {
      const bool first_done = !pending_.empty() && job_[pending_.front()].done;
      const bool any_done = !options_.in_order && std::any_of(pending_.begin(), pending_.end(),
                                                              [&](std::size_t slot) { return job_[slot].done; });
      return first_done || any_done || (pending_.empty() && ended_) || (options_.consumer_helps && can_fetch());
    });
    consumer_waits_ = false;
  }
}

void WorkerPool::finish() {
  const Lock lock(mutex_);
  ended_ = true;
  room_.notify_all();
}

std::optional<std::size_t> WorkerPool::take_done() {
  const auto end = options_.in_order && !pending_.empty() ? pending_.begin() + 1 : pending_.end();
  const auto found = std::find_if(pending_.begin(), end, [&](std::size_t slot) { return job_[slot].done; });
  if (found == end) return std::nullopt;
  const std::size_t slot = *found;
  pending_.erase(found);
  return slot;
}

void WorkerPool::grow(int workers) {
  while (static_cast<int>(threads_.size()) < workers) {
    const int number = static_cast<int>(threads_.size());
    context_.thread_started();
    try {
      threads_.emplace_back([this, number] { run_worker(number); });
    } catch (const std::system_error& error) {
      context_.thread_ended();
      throw std::runtime_error(state_.description + ": thread " + std::to_string(number + 1) +
                               " could not be started: " + error.what());
    }
  }
}

void WorkerPool::run_worker(int number) {
  Lock lock(mutex_);
  while (true) {
    const bool due = number < workers_ && can_fetch();
    if (!due && !stopping_ && !ended_) {
      const bool full = !fetching_ && pending_.size() >= depth_;
      const std::int64_t begin = context_.now_ns();
      room_.wait(lock, context_.stop_token(),
                 [&] { return stopping_ || ended_ || (number < workers_ && can_fetch()); });
      if (full) state_.counters.blocked.add_shared(context_.now_ns() - begin);
    }
    if (stopping_ || ended_ || context_.stopped()) break;
    do_one_job(lock);
  }
  lock.unlock();
  context_.thread_ended();
}

void WorkerPool::do_one_job(Lock& lock) {
  const std::size_t slot = free_.back();
  free_.pop_back();
  job_[slot] = {};
  pending_.push_back(slot);
  fetching_ = true;
  lock.unlock();
  bool got = false;
  std::exception_ptr error;
  try {
    got = jobs_.fetch(slot);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  fetching_ = false;
  if (!got) {
    // No other thread fetched meanwhile, but the consumer may have taken slots before this one.
    ended_ = true;
    if (error) {
      job_[slot] = {true, error};
    } else {
      pending_.erase(std::find(pending_.begin(), pending_.end(), slot));
      free_.push_back(slot);
    }
    room_.notify_all();
    wake_consumer();
    return;
  }
  // One thread may fetch the next job. While there are more threads than workers, the one that wakes may be too many.
  if (static_cast<int>(threads_.size()) > workers_)
    room_.notify_all();
  else
    room_.notify_one();
  if (jobs_.work) {
    if (options_.consumer_helps) wake_consumer();  // it may fetch the next job
    work_on(slot, lock);
  }
  job_[slot].done = true;
  if (job_[slot].error) {
    ended_ = true;
    room_.notify_all();
  }
  wake_consumer();
}

void WorkerPool::work_on(std::size_t slot, Lock& lock) {
  state_.max_concurrency.raise_to(++at_work_);
  lock.unlock();
  const std::int64_t begin = context_.now_ns();
  std::exception_ptr error;
  try {
    jobs_.work(slot);
  } catch (...) {
    error = std::current_exception();
  }
  state_.counters.worked.add_shared(context_.now_ns() - begin);
  lock.lock();
  --at_work_;
  job_[slot].error = error;
}

void WorkerPool::wake_consumer() {
  if (consumer_waits_) done_.notify_one();
}

}  // namespace assay::engine
