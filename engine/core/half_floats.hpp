#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace assay::engine {

/// bfloat16: the upper half of a float32 (1 sign, 8 exponent, 7 fraction bits). A storage type: convert, compute,
/// convert back.
struct BFloat16 {
  std::uint16_t bits = 0;
  bool operator==(const BFloat16&) const = default;
};

/// IEEE 754 binary16 (1 sign, 5 exponent, 10 fraction bits). A storage type.
struct Float16 {
  std::uint16_t bits = 0;
  bool operator==(const Float16&) const = default;
};
static_assert(sizeof(BFloat16) == 2 && sizeof(Float16) == 2);

/// Exact.
inline float to_float(BFloat16 value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16); }

/// Round to nearest, ties to even; overflow gives infinity; a NaN stays one (made quiet, payload truncated).
inline BFloat16 to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return {static_cast<std::uint16_t>(nan ? (bits >> 16) | 0x40u : rounded)};
}

/// Exact; subnormals become normal float32 values.
inline float to_float(Float16 value) {
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000u) << 16;
  const std::uint32_t exponent = (value.bits >> 10) & 0x1fu;
  const std::uint32_t fraction = value.bits & 0x3ffu;
  if (exponent == 0) {  // zero or subnormal: fraction * 2^-24, exact in float32 whatever the denormal mode
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
  }
  const std::uint32_t wide = exponent == 31 ? 255u : exponent + (127u - 15u);
  const std::uint32_t quiet = exponent == 31 && fraction != 0 ? 0x400000u : 0u;
  return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13) | quiet);
}

/// Round to nearest, ties to even; 65520 and above give infinity; below 2^-25 zero; a NaN stays one.
inline Float16 to_float16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  std::uint32_t half = 0;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  } else if (magnitude >= 0x477ff000u) {  // 65520: halfway from the largest value to 2^16
    half = 0x7c00u;
  } else if (magnitude >= 0x38800000u) {  // 2^-14: normal
    half = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  } else if (magnitude >= 0x33000000u) {  // 2^-25: subnormal; the shift is 14 to 24
    const std::uint32_t shift = 126u - (magnitude >> 23);
    const std::uint32_t fraction = (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t kept = fraction >> shift;
    const std::uint32_t rest = fraction & ((1u << shift) - 1u);
    const std::uint32_t half_way = 1u << (shift - 1u);
    half = kept + ((rest > half_way || (rest == half_way && (kept & 1u))) ? 1u : 0u);
  }
  return {static_cast<std::uint16_t>(sign | half)};
}

/// Narrows so that a second rounding to 16 bits cannot err: an inexact result gets an odd last bit ("round to odd").
inline float narrow_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  const auto bits = std::bit_cast<std::uint32_t>(nearest);
  const bool exact = static_cast<double>(nearest) == value || value != value;
  if (exact || (bits & 1u)) return nearest;
  const bool too_large = std::fabs(static_cast<double>(nearest)) > std::fabs(value);
  return std::bit_cast<float>(too_large ? bits - 1u : bits + 1u);
}

}  // namespace assay::engine
