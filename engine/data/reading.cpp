#include "engine/data/reading.hpp"

namespace assay::engine {

StageState& Reading::state(const std::string& path, const std::string& description) {
  const std::lock_guard lock(mutex_);
  auto& state = states_[path];
  if (!state) {
    state = std::make_unique<StageState>();
    state->path = path;
    state->description = description;
  }
  return *state;
}

std::vector<const StageState*> Reading::states() const {
  const std::lock_guard lock(mutex_);
  std::vector<const StageState*> result;
  for (const auto& [path, state] : states_) result.push_back(state.get());
  return result;
}

std::vector<StageState*> Reading::states() {
  const std::lock_guard lock(mutex_);
  std::vector<StageState*> result;
  for (const auto& [path, state] : states_) result.push_back(state.get());
  return result;
}

void Reading::started_thread() {
  const int now = ++threads_;
  int most = most_threads_.load();
  while (now > most && !most_threads_.compare_exchange_weak(most, now)) {
  }
}

}  // namespace assay::engine
