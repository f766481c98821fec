#include "engine/kernels/reference/families.hpp"
#include "engine/kernels/windows.hpp"

namespace assay::engine::reference {
namespace {

/// Calls visit(result pixel, input pixel, tap) for every pair that a weight joins; pixels counted over all images.
template <class Visit>
void each_tap(const Convolution& s, Visit&& visit) {
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t oy = 0; oy < s.y.out; ++oy) {
      for (std::int64_t ox = 0; ox < s.x.out; ++ox) {
        const std::int64_t result = (n * s.y.out + oy) * s.x.out + ox;
        for (std::int64_t ky = s.y.first(oy); ky < s.y.last(oy); ++ky) {
          for (std::int64_t kx = s.x.first(ox); kx < s.x.last(ox); ++kx) {
            visit(result, (n * s.y.in + s.y.cell(oy, ky)) * s.x.in + s.x.cell(ox, kx), ky * s.x.size + kx);
          }
        }
      }
    }
  }
}

/// What the three kernels compute: every product of a tap, summed into one of the three tensors in float64.
template <class T, class Sum>
void summed(T* result, std::int64_t size, Sum&& sum) {
  std::vector<double> sums(static_cast<std::size_t>(size), 0.0);
  sum(sums.data());
  for (std::int64_t i = 0; i < size; ++i) result[i] = static_cast<T>(sums[static_cast<std::size_t>(i)]);
}

}  // namespace
}  // namespace assay::engine::reference
