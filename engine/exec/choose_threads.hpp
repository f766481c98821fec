#pragma once
#include <vector>

#include "engine/exec/traced_function.hpp"

namespace assay::engine {

/// The time of one call of an inference plan on a number of threads: the fastest of many calls.
struct ThreadTime {
  int threads = 1;
  double nanoseconds = 0;
};

/// Measures for control engine.choose_threads: traces the function for 1, 2, 4, … and `limit` threads and calls these
/// in turns. Measure once and pass the choice as Settings::inference_threads to all processes that are compared. Throws
/// std::logic_error where the function writes variables: training keeps its fixed number of threads.
std::vector<ThreadTime> time_threads(const TracedFunction::Function& function, std::span<const Tensor> arguments,
                                     int limit);

/// The fewest threads whose time is within 3 % of the fastest.
int choose_threads(std::span<const ThreadTime> times);

}  // namespace assay::engine
