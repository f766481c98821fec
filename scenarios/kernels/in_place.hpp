#pragma once
#include <cstdint>
#include <vector>

#include "engine/core/storage.hpp"

namespace assay::scenarios::kernels {

/// a = a + factor * b over two arrays a thread: STREAM's triad where the result lies on an operand, as in an update of
/// parameters. No cache line is fetched only to be written.
class InPlaceSet {
 public:
  /// `bytes` over all threads and both arrays.
  InPlaceSet(std::uint64_t bytes, int threads);

  /// Walks `passes` times on every thread, all at once.
  void run(std::int64_t passes);
  /// Moved by one pass: two arrays read, one written.
  double bytes_moved() const;
  /// Largest distance of `a` from what it must still be.
  double error() const;

 private:
  struct Part {
    engine::Storage a, b;
  };
  std::int64_t count_;  // elements of one array of one thread
  std::vector<Part> parts_;
};

}  // namespace assay::scenarios::kernels
