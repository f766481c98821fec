#pragma once
#include <string>

namespace assay::engine {

/// What one element of a pipeline costs, and what there is to pay it with. Times in ns.
struct ThreadLoad {
  double work = 0;      // of all stages
  double training = 0;  // of the consumer, between two elements
  int cores = 1, training_threads = 1;
  bool prefetched = false;  // a thread reads the stage, so that the consumer's core does no work of the pipeline
};

struct ThreadsNeeded {
  int workers = 0;
  double rate = 0;      // elements a second that are then possible
  int max_workers = 0;  // cores that the training threads leave
};

/// The fewest threads that sustain the rate which cores and consumer allow:
/// rate = min(1 / training, cores / (work + training threads * training)). There is one more thread where the consumer
/// sleeps before a prefetch for most of the time.
ThreadsNeeded threads_needed(const ThreadLoad& load);

/// A stage's thread that works less than this share of the time is not worth having.
constexpr double min_thread_share = 0.02;
/// What it takes to start a thread and to end it, once an epoch.
constexpr double thread_start_ns = 200000;

/// How many threads each save more of an epoch with `work_ns` of work than their start takes.
int max_worthwhile_threads(double work_ns);

/// "1 thread", "2 threads".
std::string threads_text(int number);

}  // namespace assay::engine
