#include "engine/data/reading.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine {

int calls_a_job(const Knobs& knobs, double call_ns, double bytes) {
  if (knobs.job_ns <= 0) return knobs.most_calls;
  const double by_time = std::ceil(knobs.job_ns / std::max(call_ns, 1.0)),
               by_bytes = knobs.job_bytes / std::max(bytes, 1.0);
  return static_cast<int>(std::clamp(std::min(by_time, by_bytes), 1.0, static_cast<double>(knobs.most_calls)));
}

StageState& Reading::state(const std::string& path, const std::string& description,
                           const std::function<void(StageState&)>& first) {
  const std::lock_guard lock(mutex_);
  auto& state = states_[path];
  if (!state) {
    state = std::make_unique<StageState>();
    state->path = path;
    state->description = description;
    state->opened = static_cast<bool>(first);
    if (first) first(*state);
  }
  return *state;
}

std::vector<const StageState*> Reading::states() const {
  const std::lock_guard lock(mutex_);
  std::vector<const StageState*> result;
  for (const auto& [path, state] : states_) result.push_back(state.get());
  return result;
}

void Reading::stop_epoch() {
  const std::lock_guard lock(mutex_);
  stop_.request_stop();
}

void Reading::begin_epoch(double waited, double trained) {
  const std::lock_guard lock(mutex_);
  at_epoch_begin_ = {.counts = {}, .waited = waited, .trained = trained};
  for (const auto& [path, state] : states_) at_epoch_begin_.counts[path] = state->counters.now();
  stop_ = std::stop_source();
  if (cancelled_) stop_.request_stop();
}

void Reading::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  stop_.request_stop();
}

Reading::EpochBegin Reading::at_epoch_begin() const {
  const std::lock_guard lock(mutex_);
  return at_epoch_begin_;
}

void Reading::started_thread() {
  const int now = ++threads_;
  int most = most_threads_.load();
  while (now > most && !most_threads_.compare_exchange_weak(most, now)) {
  }
}

}  // namespace assay::engine
