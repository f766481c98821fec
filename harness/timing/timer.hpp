#pragma once
#include <chrono>
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

/// Times `call` by Google Benchmark in this process, real time. At least one repetition, at most `repetitions`; none
/// begins after `budget`. What `call` or `restore` throws comes out unchanged.
Timing measure(const TimingOptions& options, int repetitions, std::chrono::milliseconds budget,
               const std::function<void()>& call);

}  // namespace assay::harness
