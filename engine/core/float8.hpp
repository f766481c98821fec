#pragma once
#include <bit>
#include <cstdint>

#include "engine/core/half_floats.hpp"

namespace assay::engine {

/// OCP E4M3 (1 sign, 4 exponent, 3 fraction bits; bias 7): no infinity, one NaN a sign, largest 448, smallest 2^-9.
/// A storage type.
struct Float8E4M3 {
  std::uint8_t bits = 0;
  bool operator==(const Float8E4M3&) const = default;
  static constexpr float largest = 448;
};

/// OCP E5M2 (1 sign, 5 exponent, 2 fraction bits; bias 15): the upper byte of a binary16, largest 57344, smallest
/// 2^-16. A storage type.
struct Float8E5M2 {
  std::uint8_t bits = 0;
  bool operator==(const Float8E5M2&) const = default;
  static constexpr float largest = 57344;
};
static_assert(sizeof(Float8E4M3) == 1 && sizeof(Float8E5M2) == 1);

/// What becomes of a finite value that rounds beyond the largest: that largest one, or the format's infinity (E4M3 has
/// none: NaN). Infinities and NaN are never made finite, so that a training that diverged still shows it.
enum class Overflow : std::uint8_t { saturate, special };

/// Exact.
inline float to_float(Float8E5M2 value) { return to_float(Float16{static_cast<std::uint16_t>(value.bits << 8)}); }

/// Exact.
inline float to_float(Float8E4M3 value) {
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x80u) << 24;
  const std::uint32_t exponent = (value.bits >> 3) & 0xfu;
  const std::uint32_t fraction = value.bits & 0x7u;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-9f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
  }
  if (exponent == 15 && fraction == 7) return std::bit_cast<float>(sign | 0x7fc00000u);
  return std::bit_cast<float>(sign | ((exponent + 120u) << 23) | (fraction << 20));
}

namespace float8 {

/// The code of |value|, rounded to nearest even, in a format of that bias and fraction; may exceed the largest code.
/// float32's own subnormals lie far below half of either format's smallest value.
inline std::uint32_t rounded_code(std::uint32_t magnitude, std::uint32_t bias, std::uint32_t fraction_bits) {
  const std::uint32_t exponent = magnitude >> 23;  // biased by 127
  const std::uint32_t smallest = 128u - bias;      // the exponent of the format's smallest normal value
  const std::uint32_t below = exponent < smallest ? smallest - exponent : 0;
  const std::uint32_t shift = 23u - fraction_bits + below;
  if (shift > 24) return 0;
  const std::uint32_t fraction = (magnitude & 0x7fffffu) | 0x800000u;
  const std::uint32_t kept = fraction >> shift;
  const std::uint32_t rest = fraction & ((1u << shift) - 1u);
  const std::uint32_t half_way = 1u << (shift - 1u);
  const std::uint32_t up = rest > half_way || (rest == half_way && (kept & 1u)) ? 1u : 0u;
  const std::uint32_t normal = below == 0 ? exponent - smallest : 0;
  return (normal << fraction_bits) + kept + up;
}

}  // namespace float8

/// Round to nearest, ties to even. Infinity gives NaN; a NaN stays one.
inline Float8E4M3 to_float8_e4m3(float value, Overflow overflow = Overflow::saturate) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 24) & 0x80u, magnitude = bits & 0x7fffffffu;
  std::uint32_t code = 0x7f;
  if (magnitude < 0x7f800000u) {
    code = float8::rounded_code(magnitude, 7, 3);
    if (code > 0x7e) code = overflow == Overflow::saturate ? 0x7e : 0x7f;
  }
  return {static_cast<std::uint8_t>(sign | code)};
}

/// Round to nearest, ties to even. Infinity stays one, and so does a NaN.
inline Float8E5M2 to_float8_e5m2(float value, Overflow overflow = Overflow::saturate) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 24) & 0x80u, magnitude = bits & 0x7fffffffu;
  std::uint32_t code = magnitude > 0x7f800000u ? 0x7e : 0x7c;
  if (magnitude < 0x7f800000u) {
    code = float8::rounded_code(magnitude, 15, 2);
    if (code > 0x7b) code = overflow == Overflow::saturate ? 0x7b : 0x7c;
  }
  return {static_cast<std::uint8_t>(sign | code)};
}

}  // namespace assay::engine
