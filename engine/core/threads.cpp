#include "engine/core/threads.hpp"

// The one place that knows whether OpenMP is there.
#ifdef _OPENMP
#include <omp.h>
#endif

namespace assay::engine {
namespace {

// One thread does this many scalar operations in the time in which a waiting team starts and joins (1 to 3 us),
// ten times over, so that a fork never costs more than a tenth of what it saves.
constexpr double work_per_thread = 131072;

}  // namespace

int threads_for(double work, int limit) {
  const double wanted = work / work_per_thread;
  if (wanted < 2 || limit < 2) return 1;
  return wanted < limit ? static_cast<int>(wanted) : limit;
}

#ifdef _OPENMP

bool threads_available() { return true; }

void set_team_size(int threads) {
  if (omp_get_max_threads() != threads) omp_set_num_threads(threads);
}

void run_parts(int parts, void (*body)(void* context, int part), void* context) {
  if (parts <= 1) {
    if (parts == 1) body(context, 0);
    return;
  }
  set_team_size(parts);
  // The runtime may give a smaller team (nested regions, limits): the parts stay the same, so results do.
#pragma omp parallel num_threads(parts)
  {
    const int team = omp_get_num_threads();
    for (int part = omp_get_thread_num(); part < parts; part += team) body(context, part);
  }
}

#else

bool threads_available() { return false; }

void set_team_size(int) {}

void run_parts(int parts, void (*body)(void* context, int part), void* context) {
  for (int part = 0; part < parts; ++part) body(context, part);
}

#endif

}  // namespace assay::engine
