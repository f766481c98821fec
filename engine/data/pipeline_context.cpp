#include "engine/data/pipeline_context.hpp"

namespace assay::engine {

StageState& PipelineContext::state(const std::string& path, const std::string& description,
                                   const std::function<void(StageState&)>& initialize) {
  const std::lock_guard lock(mutex_);
  auto& state = states_[path];
  if (!state) {
    state = std::make_unique<StageState>();
    state->path = path;
    state->description = description;
    if (initialize) initialize(*state);
  }
  return *state;
}

std::vector<const StageState*> PipelineContext::states() const {
  const std::lock_guard lock(mutex_);
  std::vector<const StageState*> result;
  for (const auto& [path, state] : states_) result.push_back(state.get());
  return result;
}

void PipelineContext::stop_epoch() {
  const std::lock_guard lock(mutex_);
  stop_.request_stop();
}

void PipelineContext::begin_epoch(double waited_ns, double trained_ns) {
  const std::lock_guard lock(mutex_);
  at_epoch_begin_ = {.counts = {}, .waited = waited_ns, .trained = trained_ns};
  for (const auto& [path, state] : states_) at_epoch_begin_.counts[path] = state->counters.now();
  stop_ = std::stop_source();
  if (cancelled_) stop_.request_stop();
}

void PipelineContext::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  stop_.request_stop();
}

PipelineContext::EpochBegin PipelineContext::at_epoch_begin() const {
  const std::lock_guard lock(mutex_);
  return at_epoch_begin_;
}

void PipelineContext::thread_started() {
  const int now = ++threads_;
  int peak = peak_threads_.load();
  while (now > peak && !peak_threads_.compare_exchange_weak(peak, now)) {
  }
}

}  // namespace assay::engine
