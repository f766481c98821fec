#pragma once
#include <cstddef>
#include <vector>

namespace assay::engine {

/// One buffer of an arena: needed from step `first` to step `last`, both included.
struct Buffer {
  std::size_t bytes = 0;
  int first = 0, last = 0;
  std::size_t offset = 0;  // the answer
};

/// Gives every buffer its offset, 64-byte aligned, and returns the arena's size. Control engine.plan_memory: `share`
/// lets buffers that are never needed at once lie on each other (largest first, each at the lowest place that is free);
/// without it each has its own place.
std::size_t plan_memory(std::vector<Buffer>& buffers, bool share);

}  // namespace assay::engine
