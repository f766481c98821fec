#include "engine/data/threads_needed.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine {

ThreadsNeeded threads_needed(const ThreadLoad& load) {
  ThreadsNeeded result;
  const double spent = load.work + load.training_threads * load.training;
  double elements_per_ns = spent > 0 ? load.cores / spent : 0;
  if (load.training > 0) elements_per_ns = std::min(elements_per_ns, 1 / load.training);
  result.rate = elements_per_ns * 1e9;
  const double busy_training = elements_per_ns * load.training;
  // The other training threads may spin while they wait, so that only the core of the asking thread ever gets free.
  const bool consumer_sleeps = load.prefetched && busy_training < 0.5;
  result.max_workers = std::max(0, load.cores - load.training_threads + (consumer_sleeps ? 1 : 0));
  const double by_consumer = load.prefetched ? 0 : 1 - busy_training;
  const double missing = elements_per_ns * load.work - by_consumer;
  const int wanted = missing > min_thread_share ? static_cast<int>(std::ceil(missing - min_thread_share)) : 0;
  result.workers = std::clamp(wanted, 0, result.max_workers);
  return result;
}

// The n-th thread saves work / n - work / (n + 1), because the asking thread works too.
int max_worthwhile_threads(double work_ns) {
  return static_cast<int>((std::sqrt(1 + 4 * work_ns / thread_start_ns) - 1) / 2);
}

std::string threads_text(int number) { return std::to_string(number) + (number == 1 ? " thread" : " threads"); }

}  // namespace assay::engine
