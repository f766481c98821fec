// Operations of engine/precision: finite checks and float8 quantization.
#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/core/convert.hpp"
#include "engine/kernels/eigen/families.hpp"
#include "engine/kernels/float8_scaling.hpp"

namespace assay::engine::eigen {
namespace {

constexpr std::size_t slot = 64;  // a cache line for what one thread found

template <class T>
bool all_finite(const T* x, std::int64_t n) {
  // x - x is 0, or NaN where x is not finite; the sum keeps it. Sixteen sums, so that they are vectorised without a
  // licence to reorder.
  T rest[16] = {};
  std::int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    for (std::int64_t lane = 0; lane < 16; ++lane) rest[lane] += x[i + lane] - x[i + lane];
  }
  for (; i < n; ++i) rest[0] += x[i] - x[i];
  return std::ranges::all_of(rest, [](T value) { return value == 0; });
}

/// A format's grid among float32's numbers.
struct Grid {
  std::uint32_t dropped;  // fraction bits that it does not have
  float smallest_normal;  // below it steps are equal:
  float step;
  float largest;
  bool infinities;
};
template <class Format>
constexpr Grid grid{20, 0x1p-6F, 0x1p-9F, Float8E4M3::largest, false};
template <>
constexpr Grid grid<Float8E5M2>{21, 0x1p-14F, 0x1p-16F, Float8E5M2::largest, true};

/// What to_float(convert<Format>(value)) is, by arithmetic without branches, so that loops of it are vectorised. An
/// infinity that `finite` says to have been a finite number, before it was scaled, saturates like other large ones.
template <class Format>
float on_grid(float value, bool finite) {
  constexpr Grid g = grid<Format>;
  constexpr std::uint32_t rest = (1U << g.dropped) - 1U, infinity = 0x7f800000U;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t normal = (magnitude + (rest >> 1U) + ((magnitude >> g.dropped) & 1U)) & ~rest;
  // Adding a number whose last bit is one step rounds to steps, to nearest even.
  constexpr float steps = 0x1.8p23F * g.step;
  const float below = (std::bit_cast<float>(magnitude) + steps) - steps;
  std::uint32_t rounded =
      magnitude < std::bit_cast<std::uint32_t>(g.smallest_normal) ? std::bit_cast<std::uint32_t>(below) : normal;
  rounded = std::min(rounded, std::bit_cast<std::uint32_t>(g.largest));
  const std::uint32_t special = magnitude == infinity && g.infinities ? infinity : 0x7fc00000U;
  return std::bit_cast<float>((bits & 0x80000000U) | (finite ? rounded : special));
}

/// x * scale on the grid of Format, divided by scale again: exact where scale is a power of 2.
template <class T, class Format>
float quantize(const T* x, T* y, std::int64_t n, float scale) {
  const float back = 1 / scale;
  std::uint32_t most = 0;  // magnitudes compare as their bits do; what is not finite is none
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(static_cast<float>(x[i])) & 0x7fffffffU;
    most = std::max(most, magnitude < 0x7f800000U ? magnitude : 0U);
    if constexpr (std::is_same_v<T, float>) {
      y[i] = on_grid<Format>(x[i] * scale, magnitude < 0x7f800000U) * back;
    } else {
      const float scaled = narrow_to_odd(x[i] * static_cast<T>(scale));
      y[i] = static_cast<T>(on_grid<Format>(scaled, std::isfinite(x[i]))) / static_cast<T>(scale);
    }
  }
  return std::bit_cast<float>(most);
}

template <class T>
using Quantize = float (*)(const T*, T*, std::int64_t, float);

}  // namespace

Prepared prepare_all_finite(const Request& request) {
  require_count(request, 1, 1);
  require_shape("result", Shape{}, request.out[0].shape);
  if (request.out[0].dtype != DType::float32) throw Unsupported("the result is float32");
  const std::int64_t n = request.in[0].shape.elements();
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    const int threads = threads_for(static_cast<double>(n) * cost_of_move, request.target.threads);
    return answer(request, "eigen", static_cast<double>(n), threads, slot * static_cast<std::size_t>(threads),
                  [n, threads](std::span<const View> in, std::span<const View> out, Context& context) {
                    const T* x = in[0].as<const T>();
                    const auto found = [&](int part) {
                      return reinterpret_cast<bool*>(context.workspace + slot * static_cast<std::size_t>(part));
                    };
                    parallel_parts(threads, [&](int part) {
                      const Range range = range_of(n, part, threads, line);
                      *found(part) = all_finite(x + range.begin, range.end - range.begin);
                    });
                    bool all = true;
                    for (int part = 0; part < threads; ++part) all = all && *found(part);
                    *out[0].as<float>() = all ? 1.0F : 0.0F;
                  });
  });
}

Prepared prepare_quantize(const Request& request) {
  require_count(request, 2, 2);
  require_shape("result", request.in[0].shape, request.out[0].shape);
  require_shape("scale", Shape{}, request.in[1].shape);
  require_shape("amax", Shape{}, request.out[1].shape);
  const DType format = request.attributes().dtype;
  largest_float8(format);  // throws where it is none
  const std::int64_t n = request.in[0].shape.elements();
  return visit_float(request.in[0], [&](auto zero) {
    using T = decltype(zero);
    const Quantize<T> loop = format == DType::float8_e4m3 ? quantize<T, Float8E4M3> : quantize<T, Float8E5M2>;
    const int threads = threads_for(static_cast<double>(n) * cost_of_exp, request.target.threads);
    Prepared prepared =
        answer(request, "eigen", static_cast<double>(n), threads, slot * static_cast<std::size_t>(threads),
               [n, threads, loop](std::span<const View> in, std::span<const View> out, Context& context) {
                 const float scale = *in[1].as<const float>();
                 const auto most = [&](int part) {
                   return reinterpret_cast<float*>(context.workspace + slot * static_cast<std::size_t>(part));
                 };
                 parallel_parts(threads, [&](int part) {
                   const Range range = range_of(n, part, threads, line);
                   *most(part) = loop(in[0].as<const T>() + range.begin, out[0].as<T>() + range.begin,
                                      range.end - range.begin, scale);
                 });
                 float largest = 0;
                 for (int part = 0; part < threads; ++part) largest = std::max(largest, *most(part));
                 *out[1].as<float>() = largest;
               });
    prepared.info.emulated = true;
    prepared.info.format = format;
    return prepared;
  });
}

Prepared prepare_identity(const Request& request) {
  require_count(request, 3, 1);
  require_shape("result", request.in[0].shape, request.out[0].shape);
  if (request.in[0].dtype != request.out[0].dtype) throw Unsupported("two types");
  const auto size = static_cast<std::int64_t>(size_of(request.in[0].dtype));
  return loop_answer(request, request.in[0].shape.elements(), cost_of_move,
                     [size](std::span<const View> in, std::span<const View> out, std::int64_t begin, std::int64_t end) {
                       if (in[0].data == out[0].data) return;
                       std::copy_n(in[0].data + begin * size, (end - begin) * size, out[0].data + begin * size);
                     });
}

Prepared prepare_float8_scale(const Request& request) {
  require_count(request, 1, 1);
  const float most = largest_float8(request.attributes().dtype);
  const std::int64_t n = request.in[0].shape.elements();
  return answer(request, "eigen", static_cast<double>(n), 1, 0,
                [n, most](std::span<const View> in, std::span<const View> out, Context&) {
                  *out[0].as<float>() = float8_scale(largest_of(in[0].as<const float>(), n), most);
                });
}

}  // namespace assay::engine::eigen
