#pragma once
#include <atomic>

namespace assay::engine {

/// What autotuning may set for a stage. The thread that reads the stage looks at `workers` and `depth` before each
/// element.
struct Tunables {
  std::atomic<int> workers{0};  // threads of the stage's own
  std::atomic<int> depth{1};    // elements, blocks or batches in flight
  bool tunes_workers = false, tunes_depth = false;
  int max_depth = 1;

  bool calls_map = false;    // the stage calls a map, in jobs of several calls
  int max_calls = 1;         // calls in one job
  double job_ns = 0;         // target time of a job; 0: every job has max_calls
  double job_bytes = 0;      // largest output of a job, where job_ns is above 0
  bool makes_batch = false;  // one job gives one element of the stage
};

/// Calls of the map in one job, where one call takes `call_ns` and gives `bytes`.
int calls_per_job(const Tunables& tunables, double call_ns, double bytes);

}  // namespace assay::engine
