#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "engine/core/dtype.hpp"
#include "engine/core/float8.hpp"
#include "engine/core/half_floats.hpp"

namespace assay::engine {

/// Calls visit(T{}) with the C++ type that stores `dtype`.
template <class Visit>
decltype(auto) visit_dtype(DType dtype, Visit&& visit) {
  switch (dtype) {
    case DType::float64:
      return visit(double{});
    case DType::bfloat16:
      return visit(BFloat16{});
    case DType::float16:
      return visit(Float16{});
    case DType::float8_e4m3:
      return visit(Float8E4M3{});
    case DType::float8_e5m2:
      return visit(Float8E5M2{});
    case DType::int8:
      return visit(std::int8_t{});
    case DType::uint8:
      return visit(std::uint8_t{});
    case DType::int32:
      return visit(std::int32_t{});
    case DType::int64:
      return visit(std::int64_t{});
    case DType::float32:
      break;
  }
  return visit(float{});
}

template <class T>
constexpr bool is_narrow_type = std::is_same_v<T, BFloat16> || std::is_same_v<T, Float16> ||
                                std::is_same_v<T, Float8E4M3> || std::is_same_v<T, Float8E5M2>;

/// To an integer: nearest, ties to even, saturating at the ends of the type; NaN gives 0.
template <class To, class From>
To saturate(From value) {
  constexpr To low = std::numeric_limits<To>::min();
  constexpr To high = std::numeric_limits<To>::max();
  if constexpr (std::is_floating_point_v<From>) {
    // 2^31 and 2^63 are exact in both float types where the largest integer is not.
    constexpr From end = static_cast<From>(high / 2 + 1) * From{2};
    const From rounded = std::nearbyint(value);
    if (!(rounded == rounded)) return 0;
    if (rounded <= static_cast<From>(low)) return low;
    if (rounded >= end) return high;
    return static_cast<To>(rounded);
  } else {
    const auto wide = static_cast<std::int64_t>(value);
    if (wide < static_cast<std::int64_t>(low)) return low;
    if (wide > static_cast<std::int64_t>(high)) return high;
    return static_cast<To>(wide);
  }
}

/// One element to another type: exact where it can be, else round to nearest even (once), integers and float8
/// saturating.
template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (is_narrow_type<From>) {
    return convert<To>(to_float(value));
  } else if constexpr (is_narrow_type<To>) {
    float narrow = 0;
    if constexpr (std::is_same_v<From, float>) {
      narrow = value;
    } else if constexpr (std::is_same_v<From, std::int64_t>) {
      // Integers from 2^53 on lose bits in double: fold what is lost into the last bit, which only rounding sees.
      const bool large = value > (std::int64_t{1} << 52) || value < -(std::int64_t{1} << 52);
      narrow = narrow_to_odd(
          static_cast<double>(large ? (value & ~std::int64_t{0xfff}) | ((value & 0xfff) != 0 ? 0x1000 : 0) : value));
    } else {
      narrow = narrow_to_odd(static_cast<double>(value));
    }
    if constexpr (std::is_same_v<To, BFloat16>) {
      return to_bfloat16(narrow);
    } else if constexpr (std::is_same_v<To, Float16>) {
      return to_float16(narrow);
    } else if constexpr (std::is_same_v<To, Float8E4M3>) {
      return to_float8_e4m3(narrow);
    } else {
      return to_float8_e5m2(narrow);
    }
  } else if constexpr (std::is_floating_point_v<To>) {
    return static_cast<To>(value);
  } else {
    return saturate<To>(value);
  }
}

}  // namespace assay::engine
