#include "engine/kernels/eigen/patches.hpp"

#include <algorithm>
#include <cstring>

namespace assay::engine::eigen {
namespace {

/// Calls visit(row, ky, first, last, x offset) for every line of every patch: cells [first, last) of the line lie
/// inside the image and are neighbours in memory from the offset on; first == last where the whole line lies outside.
template <class Visit>
void each_line(const Convolution& s, Range pixels, Visit&& visit) {
  std::int64_t ox = pixels.begin % s.x.out;
  std::int64_t oy = pixels.begin / s.x.out % s.y.out;
  std::int64_t image = pixels.begin / s.pixels() * s.image();
  for (std::int64_t row = 0; row < pixels.end - pixels.begin; ++row) {
    const std::int64_t first = s.x.first(ox);
    const std::int64_t last = std::max(first, s.x.last(ox));
    const std::int64_t top = s.y.first(oy);
    const std::int64_t bottom = s.y.last(oy);
    for (std::int64_t ky = 0; ky < s.y.size; ++ky) {
      const bool inside = ky >= top && ky < bottom;
      visit(row, ky, first, inside ? last : first, image + (s.y.cell(oy, ky) * s.x.in + s.x.cell(ox, first)) * s.c);
    }
    if (++ox == s.x.out) {
      ox = 0;
      if (++oy == s.y.out) {
        oy = 0;
        image += s.image();
      }
    }
  }
}

/// memcpy for what is mostly a handful of values: fixed sizes become moves, where the compiler would make every loop a
/// call.
template <class T>
void copy_few(const T* from, T* to, std::int64_t n) {
  for (; n >= 16; n -= 16, from += 16, to += 16) std::memcpy(to, from, 16 * sizeof(T));
  if (n >= 8) {
    std::memcpy(to, from, 8 * sizeof(T));
    n -= 8, from += 8, to += 8;
  }
  if (n >= 4) {
    std::memcpy(to, from, 4 * sizeof(T));
    n -= 4, from += 4, to += 4;
  }
  if (n >= 2) {
    std::memcpy(to, from, 2 * sizeof(T));
    n -= 2, from += 2, to += 2;
  }
  if (n == 1) *to = *from;
}

}  // namespace

template <class T>
void gather_patches(const Convolution& s, Range pixels, const T* x, T* rows) {
  const std::int64_t line = s.x.size * s.c;
  each_line(s, pixels,
            [&](std::int64_t row, std::int64_t ky, std::int64_t first, std::int64_t last, std::int64_t offset) {
              T* to = rows + row * s.patch() + ky * line;
              const std::int64_t begin = first * s.c;
              const std::int64_t end = last * s.c;
              const T* from = x + offset - begin;
              if (begin > 0) std::fill_n(to, begin, T{0});
              copy_few(from + begin, to + begin, end - begin);
              if (end < line) std::fill_n(to + end, line - end, T{0});
            });
}

template <class T>
void scatter_patches(const Convolution& s, Range pixels, const T* rows, T* x) {
  const std::int64_t line = s.x.size * s.c;
  each_line(s, pixels,
            [&](std::int64_t row, std::int64_t ky, std::int64_t first, std::int64_t last, std::int64_t offset) {
              const T* from = rows + row * s.patch() + ky * line + first * s.c;
              T* to = x + offset;
#pragma GCC ivdep
              for (std::int64_t i = 0; i < (last - first) * s.c; ++i) to[i] += from[i];
            });
}

std::int64_t pixels_a_chunk(const Convolution& s, std::size_t element_bytes) {
  constexpr std::int64_t cache = 262144;  // bytes; a quarter of the smallest common L2
  return std::max<std::int64_t>(16, cache / (s.patch() * static_cast<std::int64_t>(element_bytes)));
}

template void gather_patches(const Convolution&, Range, const float*, float*);
template void gather_patches(const Convolution&, Range, const double*, double*);
template void scatter_patches(const Convolution&, Range, const float*, float*);
template void scatter_patches(const Convolution&, Range, const double*, double*);

}  // namespace assay::engine::eigen
