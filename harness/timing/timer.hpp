#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "harness/cases/reporter.hpp"

namespace assay::harness {

/// What one timed call came to: ns a call (or an item), one sample a repetition; untimed calls before them.
struct Timing {
  std::vector<double> samples;
  std::int64_t warmup = 0;
};

/// Times `call` by Google Benchmark in this process, real time: one sample for each of `repetitions`, however long they
/// take, so that programs that are compared have equally many. Rethrows what `call` or `restore` throws.
Timing measure(const TimingOptions& options, int repetitions, const std::function<void()>& call);

}  // namespace assay::harness
