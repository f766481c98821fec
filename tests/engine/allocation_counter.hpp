#pragma once
#include <cstdint>

namespace assay::engine::testing {

/// Calls of operator new in all threads while something ran: from libdnnl, and from everything else.
struct AllocationCount {
  std::uint64_t ours = 0;
  std::uint64_t library = 0;
};

void start_counting_allocations();
AllocationCount stop_counting_allocations();

/// Counts while fn() runs. Not nested.
template <class Fn>
AllocationCount count_allocations(Fn&& fn) {
  start_counting_allocations();
  fn();
  return stop_counting_allocations();
}

}  // namespace assay::engine::testing
