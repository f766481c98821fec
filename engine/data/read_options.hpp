#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/controls/controls.hpp"
#include "engine/data/counters.hpp"

namespace assay::engine {

/// As a number of parallel calls or of buffered elements: autotuning chooses it.
constexpr int autotune = 0;

/// The most threads and the most buffered elements that a user may ask for. More is a mistake that would bring the
/// machine down.
constexpr int max_threads = 4096, max_buffered = 1 << 16;

/// How a pipeline is read.
struct ReadOptions {
  std::uint64_t seed = 0;
  ControlSet controls{};
  int cores = 1;                                // that the process may use
  int training_threads = 1;                     // that the consumer keeps busy while it is not waiting for an element
  std::size_t memory = std::size_t{256} << 20;  // bytes for the buffers whose depth autotuning chooses
  ClockFunction clock = clock_ns;               // tests set a clock of their own
};

}  // namespace assay::engine
