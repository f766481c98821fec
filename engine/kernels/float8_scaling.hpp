#pragma once
#include <algorithm>
#include <cmath>

#include "engine/core/float8.hpp"
#include "engine/kernels/backend.hpp"

namespace assay::engine {

/// The largest finite value of a float8 format; throws Unsupported for another type.
inline float largest_float8(DType format) {
  if (format == DType::float8_e4m3) return Float8E4M3::largest;
  if (format == DType::float8_e5m2) return Float8E5M2::largest;
  throw Unsupported("expected a format of float8, found " + std::string(name(format)));
}

/// The largest of `n` magnitudes, by which float8_scale chooses.
inline float largest_of(const float* history, std::int64_t n) {
  float amax = 0;
  for (std::int64_t i = 0; i < n; ++i) amax = std::isnan(history[i]) ? history[i] : std::max(amax, history[i]);
  return amax;
}

/// The largest power of 2 that takes `amax` to `largest` at most; 1 where amax is 0 or not finite. Kept where it and
/// its inverse are ordinary float32 numbers.
inline float float8_scale(float amax, float largest) {
  if (!(amax > 0) || !std::isfinite(amax)) return 1;
  const int exponent = std::ilogb(static_cast<double>(largest) / static_cast<double>(amax));
  return std::ldexp(1.0F, std::min(std::max(exponent, -100), 100));
}

}  // namespace assay::engine
