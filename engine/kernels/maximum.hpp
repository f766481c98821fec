#pragma once
#include <cstdint>

namespace assay::engine {

/// Whether x takes the place of the largest value so far. NaN counts as the largest, and the first of equals stays, as
/// in numpy.argmax.
template <class T>
constexpr bool exceeds(T x, T largest) {
  return x > largest || (x != x && largest == largest);
}

/// The larger of two values; NaN where either is, as numpy.maximum. Without branches, so that loops of it are
/// vectorised.
template <class T>
constexpr T maximum_of(T a, T b) {
  return (a > b) | (a != a) ? a : b;
}

/// Index of the largest of n values, n at least 1.
template <class T>
std::int64_t index_of_maximum(const T* x, std::int64_t n) {
  std::int64_t best = 0;
  for (std::int64_t i = 1; i < n; ++i) {
    if (exceeds(x[i], x[best])) best = i;
  }
  return best;
}

}  // namespace assay::engine
