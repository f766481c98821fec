#include "engine/data/run_ahead.hpp"

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace assay::engine {

RunAhead::RunAhead(Reading& reading, StageState& state, Jobs jobs, Way way)
    : reading_(reading), state_(state), jobs_(std::move(jobs)), way_(way), job_(way.slots + 1) {
  for (std::size_t slot = 0; slot < job_.size(); ++slot) free_.push_back(slot);
}

RunAhead::~RunAhead() {
  {
    const Lock lock(mutex_);
    stopping_ = true;
  }
  room_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::optional<std::size_t> RunAhead::take(int workers, std::size_t depth) {
  Lock lock(mutex_);
  if (taken_) {
    free_.push_back(*taken_);
    taken_.reset();
  }
  depth_ = std::clamp<std::size_t>(depth, 1, way_.slots);
  workers_ = workers;
  grow(workers);
  room_.notify_all();
  bool asked = false;
  while (true) {
    reading_.throw_if_stopped();
    if (const auto slot = take_done()) {
      taken_ = slot;
      if (job_[*slot].error) std::rethrow_exception(std::exchange(job_[*slot].error, nullptr));
      return slot;
    }
    if (pending_.empty() && ended_) return std::nullopt;
    if (!asked) state_.counters.found_empty.add(1);
    asked = true;
    if (way_.helps && claimable()) {
      do_one(lock);
      continue;
    }
    consumer_waits_ = true;
    done_.wait(lock, reading_.stop_token(), [&] {
      const bool first_done = !pending_.empty() && job_[pending_.front()].done;
      const bool any_done = !way_.in_order && std::any_of(pending_.begin(), pending_.end(),
                                                          [&](std::size_t slot) { return job_[slot].done; });
      return first_done || any_done || (pending_.empty() && ended_) || (way_.helps && claimable());
    });
    consumer_waits_ = false;
  }
}

void RunAhead::end() {
  const Lock lock(mutex_);
  ended_ = true;
  room_.notify_all();
}

std::optional<std::size_t> RunAhead::take_done() {
  const auto end = way_.in_order && !pending_.empty() ? pending_.begin() + 1 : pending_.end();
  const auto found = std::find_if(pending_.begin(), end, [&](std::size_t slot) { return job_[slot].done; });
  if (found == end) return std::nullopt;
  const std::size_t slot = *found;
  pending_.erase(found);
  return slot;
}

void RunAhead::grow(int workers) {
  while (static_cast<int>(threads_.size()) < workers) {
    const int number = static_cast<int>(threads_.size());
    reading_.started_thread();
    try {
      threads_.emplace_back([this, number] { serve(number); });
    } catch (const std::system_error& error) {
      reading_.ended_thread();
      throw std::runtime_error(state_.description + ": thread " + std::to_string(number + 1) +
                               " could not be started: " + error.what());
    }
  }
}

void RunAhead::serve(int number) {
  Lock lock(mutex_);
  while (true) {
    const bool due = number < workers_ && claimable();
    if (!due && !stopping_ && !ended_) {
      const bool full = !fetching_ && pending_.size() >= depth_;
      const std::int64_t begin = reading_.now_ns();
      room_.wait(lock, reading_.stop_token(),
                 [&] { return stopping_ || ended_ || (number < workers_ && claimable()); });
      if (full) state_.counters.blocked.add_shared(reading_.now_ns() - begin);
    }
    if (stopping_ || ended_ || reading_.stopped()) break;
    do_one(lock);
  }
  lock.unlock();
  reading_.ended_thread();
}

void RunAhead::do_one(Lock& lock) {
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
    // Nobody fetched in between, but slots before this one may have been taken.
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
  // One thread may fetch the next. Where some are too many now, the one that wakes could be one of these.
  if (static_cast<int>(threads_.size()) > workers_)
    room_.notify_all();
  else
    room_.notify_one();
  if (jobs_.work) {
    if (way_.helps) wake_consumer();  // it may fetch the next one
    work_on(slot, lock);
  }
  job_[slot].done = true;
  if (job_[slot].error) {
    ended_ = true;
    room_.notify_all();
  }
  wake_consumer();
}

void RunAhead::work_on(std::size_t slot, Lock& lock) {
  state_.most_at_once.raise(++at_work_);
  lock.unlock();
  const std::int64_t begin = reading_.now_ns();
  std::exception_ptr error;
  try {
    jobs_.work(slot);
  } catch (...) {
    error = std::current_exception();
  }
  state_.counters.worked.add_shared(reading_.now_ns() - begin);
  lock.lock();
  --at_work_;
  job_[slot].error = error;
}

void RunAhead::wake_consumer() {
  if (consumer_waits_) done_.notify_one();
}

}  // namespace assay::engine
