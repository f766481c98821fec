#include "engine/data/tunables.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine {

int calls_per_job(const Tunables& tunables, double call_ns, double bytes) {
  if (tunables.job_ns <= 0) return tunables.max_calls;
  const double by_time = std::ceil(tunables.job_ns / std::max(call_ns, 1.0)),
               by_bytes = tunables.job_bytes / std::max(bytes, 1.0);
  return static_cast<int>(std::clamp(std::min(by_time, by_bytes), 1.0, static_cast<double>(tunables.max_calls)));
}

}  // namespace assay::engine
