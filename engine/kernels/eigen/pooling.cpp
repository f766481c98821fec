#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "engine/core/convert.hpp"
#include "engine/kernels/eigen/families.hpp"
#include "engine/kernels/windows.hpp"

namespace assay::engine::eigen {
namespace {

/// Channels side by side in one vector (GCC's vector types: narrower machines split them), maxima and indices in
/// registers while the window is walked. The compiler does not get there from a loop.
template <class T>
struct Lanes {
  using Element = T;
  using Index = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;  // as wide, so that masks fit both
  typedef T Values __attribute__((vector_size(64)));
  typedef Index Indices __attribute__((vector_size(64)));
  static constexpr std::int64_t count = 64 / sizeof(T);
  typedef std::int32_t Narrow __attribute__((vector_size(count * sizeof(std::int32_t))));

  /// What to compare by.
  static Values key(Values lanes) { return lanes; }
  /// Where x takes the place of the largest so far: as exceeds() of kernels/maximum.hpp.
  static auto exceeds(Values x, Values largest) { return ~(x <= largest) & (largest == largest); }
};

/// 16-bit formats: 16 lanes of their bits, which compare as whole numbers once negative ones count downwards.
template <std::int16_t infinity>
struct Lanes16 {
  using Element = std::int16_t;
  using Index = std::int16_t;
  typedef std::int16_t Values __attribute__((vector_size(32)));
  typedef std::int16_t Indices __attribute__((vector_size(32)));
  static constexpr std::int64_t count = 16;
  typedef std::int32_t Narrow __attribute__((vector_size(64)));

  static Values key(Values lanes) {
    const Values size = lanes & std::int16_t{0x7fff};
    const Values number = lanes < 0 ? -size : lanes;
    return size > infinity ? std::numeric_limits<std::int16_t>::max() - Values{} : number;
  }
  static auto exceeds(Values x, Values largest) { return x > largest; }
};
template <>
struct Lanes<BFloat16> : Lanes16<0x7f80> {};
template <>
struct Lanes<Float16> : Lanes16<0x7c00> {};

/// `count` elements from memory, the rest zeros; `whole` says that count fills the vector, so that one load does it.
template <bool whole, class Vector, class T>
Vector load(const T* from, std::int64_t count) {
  Vector lanes{};
  std::memcpy(&lanes, from, whole ? sizeof(lanes) : static_cast<std::size_t>(count) * sizeof(T));
  return lanes;
}

/// Result pixel of the window ys by xs for the `count` channels from x on.
template <bool whole, class T>
void largest(const Convolution& s, const T* x, Range ys, Range xs, std::int64_t count, T* y, std::int32_t* indices) {
  using Of = Lanes<T>;
  using Values = typename Lanes<T>::Values;
  using Indices = typename Lanes<T>::Indices;
  using Index = typename Lanes<T>::Index;
  const std::int64_t start = ys.begin * s.x.in + xs.begin;
  Values best = load<whole, Values>(x + start * s.c, count);
  auto largest_key = Of::key(best);
  Indices where = static_cast<Index>(start) - Indices{};
  for (std::int64_t row = ys.begin; row < ys.end; ++row) {
    for (std::int64_t column = xs.begin; column < xs.end; ++column) {
      const std::int64_t cell = row * s.x.in + column;
      const Values lanes = load<whole, Values>(x + cell * s.c, count);
      const auto key = Of::key(lanes);
      const auto larger = Of::exceeds(key, largest_key);
      best = larger ? lanes : best;
      largest_key = larger ? key : largest_key;
      where = larger ? static_cast<Index>(cell) - Indices{} : where;
    }
  }
  const auto narrow = __builtin_convertvector(where, typename Lanes<T>::Narrow);
  std::memcpy(static_cast<void*>(y), &best, whole ? sizeof(best) : static_cast<std::size_t>(count) * sizeof(T));
  std::memcpy(indices, &narrow, whole ? sizeof(narrow) : static_cast<std::size_t>(count) * sizeof(std::int32_t));
}

/// The cells of window `o` inside the image.
Range cells_of(const Axis& axis, std::int64_t o) { return {axis.cell(o, axis.first(o)), axis.cell(o, axis.last(o))}; }

template <class T>
void largest_of_row(const Convolution& s, const T* image, std::int64_t oy, T* y, std::int32_t* indices) {
  const Range ys = cells_of(s.y, oy);
  for (std::int64_t ox = 0; ox < s.x.out; ++ox, y += s.c, indices += s.c) {
    const Range xs = cells_of(s.x, ox);
    std::int64_t c = 0;
    for (; c + Lanes<T>::count <= s.c; c += Lanes<T>::count)
      largest<true>(s, image + c, ys, xs, Lanes<T>::count, y + c, indices + c);
    if (c < s.c) largest<false>(s, image + c, ys, xs, s.c - c, y + c, indices + c);
  }
}

/// Channels [c, c + count) of the gradient in one window: dy in the cell that was the maximum, 0 in the others.
template <bool whole, class T>
void write_cells(const Convolution& s, const T* dy, const std::int32_t* indices, Range ys, Range xs, std::int64_t count,
                 T* image) {
  using Values = typename Lanes<T>::Values;
  using Index = typename Lanes<T>::Index;
  const Values gradient = load<whole, Values>(dy, count);
  const auto where =
      __builtin_convertvector(load<whole, typename Lanes<T>::Narrow>(indices, count), typename Lanes<T>::Indices);
  for (std::int64_t row = ys.begin; row < ys.end; ++row) {
    for (std::int64_t column = xs.begin; column < xs.end; ++column) {
      const std::int64_t cell = row * s.x.in + column;
      const Values lanes = where == static_cast<Index>(cell) ? gradient : Values{};
      std::memcpy(static_cast<void*>(image + cell * s.c), &lanes,
                  whole ? sizeof(lanes) : static_cast<std::size_t>(count) * sizeof(T));
    }
  }
}

/// The gradient where windows do not overlap: every cell of a window is written once.
template <class T>
void write_window(const Convolution& s, const T* dy, const std::int32_t* indices, std::int64_t oy, std::int64_t ox,
                  T* image) {
  const Range ys = cells_of(s.y, oy), xs = cells_of(s.x, ox);
  std::int64_t c = 0;
  for (; c + Lanes<T>::count <= s.c; c += Lanes<T>::count)
    write_cells<true>(s, dy + c, indices + c, ys, xs, Lanes<T>::count, image + c);
  if (c < s.c) write_cells<false>(s, dy + c, indices + c, ys, xs, s.c - c, image + c);
}

/// Calls visit(T{}) with float or double, or with a 16-bit type where it needs no arithmetic and its lanes can count an
/// image's pixels.
template <class Visit>
Prepared visit_selected(const Convolution& s, const TensorType& type, bool selects, Visit&& visit) {
  const bool fits = selects && s.y.in * s.x.in <= std::numeric_limits<std::int16_t>::max();
  if (fits && type.dtype == DType::bfloat16) return visit(BFloat16{});
  if (fits && type.dtype == DType::float16) return visit(Float16{});
  return visit_float(type, visit);
}

template <class T>
void add_largest(const Convolution& s, const T* dy, const std::int32_t* indices, T* image) {
  for (std::int64_t c = 0; c < s.c; ++c) image[indices[c] * s.c + c] += dy[c];
}

/// Whether windows leave no cell of the axis uncovered.
bool covers(const Axis& axis) {
  return axis.stride <= axis.size && (axis.out - 1) * axis.stride + axis.size >= axis.in + axis.before;
}

}  // namespace

Prepared prepare_max_pool(const Request& request) {
  require_count(request, 1, 2);
  const Convolution s = pooling(request.attributes(), request.in[0].shape, request.out[0].shape);
  const std::int64_t cells = s.pixels() * s.c * s.y.size * s.x.size;
  return visit_selected(s, request.in[0], true, [&](auto zero) {
    using T = decltype(zero);
    return rows_answer(request, s.n * s.y.out, cells / std::max<std::int64_t>(1, s.y.out), cost_of_move,
                       [s](std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
                         for (std::int64_t row = begin; row < end; ++row) {
                           const std::int64_t at = row * s.x.out * s.c;
                           largest_of_row(s, in[0].as<const T>() + row / s.y.out * s.image(), row % s.y.out,
                                          out[0].as<T>() + at, out[1].as<std::int32_t>() + at);
                         }
                       });
  });
}

Prepared prepare_max_pool_gradient(const Request& request) {
  require_count(request, 2, 1);
  const Convolution s = pooling(request.attributes(), request.out[0].shape, request.in[0].shape);
  const bool overlap = s.y.stride < s.y.size || s.x.stride < s.x.size;
  const bool clear = overlap || !covers(s.y) || !covers(s.x);
  return visit_selected(s, request.in[0], !overlap, [&](auto zero) {
    using T = decltype(zero);
    return rows_answer(request, s.n, s.image(), cost_of_move,
                       [=](std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
                         T* dx = out[0].as<T>();
                         if (clear) std::fill(dx + begin * s.image(), dx + end * s.image(), T{});
                         for (std::int64_t pixel = begin * s.pixels(); pixel < end * s.pixels(); ++pixel) {
                           T* image = dx + pixel / s.pixels() * s.image();
                           const T* dy = in[0].as<const T>() + pixel * s.c;
                           const std::int32_t* indices = in[1].as<const std::int32_t>() + pixel * s.c;
                           if constexpr (std::is_floating_point_v<T>) {
                             if (overlap) {
                               add_largest(s, dy, indices, image);
                               continue;
                             }
                           }
                           write_window(s, dy, indices, pixel / s.x.out % s.y.out, pixel % s.x.out, image);
                         }
                       });
  });
}

}  // namespace assay::engine::eigen
