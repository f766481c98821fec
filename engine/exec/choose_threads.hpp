#pragma once
#include <vector>

#include "engine/exec/traced.hpp"

namespace assay::engine {

/// How long an inference plan takes with a number of threads, in nanoseconds a call (the fastest of many).
struct ThreadTime {
  int threads = 1;
  double nanoseconds = 0;
};

/// What control engine.choose_threads needs: the function traced for 1, 2, 4, … and `limit` threads and called in
/// turns. A choice by time belongs into Settings::inference_threads of every process that is compared, not into each of
/// them anew. Throws std::logic_error where the function writes variables: training keeps its fixed rule.
std::vector<ThreadTime> time_threads(const Traced::Function& function, std::span<const Tensor> arguments, int limit);

/// The fewest threads within 3 % of the fastest: what little a further core brings is not worth its noise.
int fastest(std::span<const ThreadTime> times);

}  // namespace assay::engine
