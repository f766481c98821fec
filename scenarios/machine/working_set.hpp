#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/storage.hpp"
#include "scenarios/machine/streams.hpp"

namespace assay::scenarios::machine {

/// What a team of threads walks through: each thread its own arrays, of which it touches the pages first (so that they
/// lie on its node).
class WorkingSet {
 public:
  /// `bytes` over all threads and the arrays of `walk`; rounded down to whole grains, at least one grain an array.
  WorkingSet(const WalkInfo& walk, std::uint64_t bytes, int threads);

  /// Walks `passes` times on every thread, all at once.
  void run(std::int64_t passes);
  /// Moved by one pass, over all threads.
  double bytes_moved() const;
  /// Largest distance of a result from what it must be: sums of small whole numbers, exact in float32 up to 2^24.
  double error() const;

 private:
  struct Part {
    std::vector<engine::Storage> arrays;
    float total = 0;
  };
  float* array(int part, int index) const;
  void walk_once(int part);

  WalkInfo walk_;
  std::int64_t count_;  // elements of one array of one thread
  std::vector<Part> parts_;
};

/// Working sets from 16 KiB a thread to `last` in total, each twice the one before.
std::vector<std::uint64_t> working_set_sizes(std::uint64_t last, int threads);

/// The largest working set: four times the last-level caches, at most 256 MiB and an eighth of the memory that is free.
std::uint64_t largest_working_set(std::uint64_t last_level_bytes, std::uint64_t available_bytes);

}  // namespace assay::scenarios::machine
