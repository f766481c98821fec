#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace assay::harness {

/// How a call is timed. With `iterations` a repetition is exactly that many calls after `restore` (a training step
/// changes what it measures); with 0 Google Benchmark chooses the count, for calls without state.
struct TimingOptions {
  std::int64_t iterations = 0;
  std::function<void()> restore{};  // untimed, before each repetition
  double items_per_call = 1;        // divides the time: 128 makes a per-sample time of a batch of 128
  std::int64_t warmup = 1;          // untimed calls before the first repetition, counted apart
};

/// What one timed call came to: ns a call (or an item), one sample a repetition; untimed calls before them.
struct Timing {
  std::vector<double> samples;
  std::int64_t warmup = 0;
};

/// Times `call` by Google Benchmark in this process, real time: one sample for each of `repetitions`, however long they
/// take, so that programs that are compared have equally many. Rethrows what `call` or `restore` throws.
Timing measure(const TimingOptions& options, int repetitions, const std::function<void()>& call);

}  // namespace assay::harness
