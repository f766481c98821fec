#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace assay::engine {

/// Whether this build has threads (OpenMP).
bool threads_available();

/// Sets the calling thread's OpenMP team size. oneDNN reads it both when a primitive is created and when it runs, and
/// every worker thread has its own.
void set_team_size(int threads);

/// How many threads an operation uses: a fixed rule of its work in scalar operations, at most `limit`. Never by timing:
/// the split of a sum changes its rounding, and with it the losses.
int threads_for(double work, int limit);

/// Part `part` of `parts` of [0, n): contiguous, borders at multiples of `grain`, the same whoever runs it.
struct Range {
  std::int64_t begin = 0, end = 0;
};
constexpr Range range_of(std::int64_t n, int part, int parts, std::int64_t grain = 1) {
  const std::int64_t grains = (n + grain - 1) / grain;
  const auto border = [&](std::int64_t i) { return std::min(n, grains * i / parts * grain); };
  return {border(part), border(part + 1)};
}

/// Calls body(context, part) for every part on a team; serial for one part or without OpenMP. Allocates nothing once
/// the team exists. The body must not throw.
void run_parts(int parts, void (*body)(void* context, int part), void* context);

/// fn(part) for every part.
template <class Fn>
void parallel_parts(int parts, Fn&& fn) {
  using Plain = std::remove_reference_t<Fn>;
  run_parts(
      parts, [](void* context, int part) { (*static_cast<Plain*>(context))(part); },
      const_cast<std::remove_const_t<Plain>*>(std::addressof(fn)));
}

/// fn(begin, end) over a static split of [0, n).
template <class Fn>
void parallel_for(std::int64_t n, int threads, Fn&& fn, std::int64_t grain = 1) {
  if (threads <= 1) {
    if (n > 0) fn(std::int64_t{0}, n);
    return;
  }
  parallel_parts(threads, [&](int part) {
    const Range range = range_of(n, part, threads, grain);
    if (range.begin < range.end) fn(range.begin, range.end);
  });
}

}  // namespace assay::engine
