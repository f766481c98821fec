#include "engine/core/half_floats.hpp"

#include <cmath>
#include <limits>

#include "engine/core/convert.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

bool same(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

/// The value of a code by the definition of the format: (-1)^s 2^(e - bias) 1.f, or 2^(1 - bias) 0.f where e is 0.
double defined(std::uint32_t code, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(code >> fraction_bits) & ((1 << exponent_bits) - 1);
  const double fraction = std::ldexp(static_cast<double>(code & ((1u << fraction_bits) - 1u)), -fraction_bits);
  const double sign = (code & 0x8000u) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  return exponent == 0 ? sign * std::ldexp(fraction, 1 - bias) : sign * std::ldexp(1 + fraction, exponent - bias);
}

/// Every code is exact, leads back to itself, and the middle between two neighbours goes to the even one.
template <class Half, class Narrow>
void check_all(int exponent_bits, int fraction_bits, Narrow narrow) {
  int wrong = 0;
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const Half half{static_cast<std::uint16_t>(code)};
    const double value = defined(code, exponent_bits, fraction_bits);
    const float wide = to_float(half);
    if (std::isnan(value)) {
      wrong += !std::isnan(wide) || !std::isnan(to_float(narrow(wide)));
      continue;
    }
    wrong += static_cast<double>(wide) != value || std::signbit(wide) != std::signbit(value) || !(narrow(wide) == half);
    const Half next{static_cast<std::uint16_t>(code + 1)};
    const double above = defined(code + 1, exponent_bits, fraction_bits);
    if ((code & 0x7fffu) == 0x7fffu || !std::isfinite(above) || !std::isfinite(value)) continue;
    const float middle = static_cast<float>((value + above) / 2);
    const float after = std::nextafter(middle, static_cast<float>(above));
    const float before = std::nextafter(middle, static_cast<float>(value));
    wrong += !(narrow(middle) == ((code & 1u) == 0 ? half : next));
    wrong += !(narrow(after) == next) || !(narrow(before) == half);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("bfloat16: all 65,536 codes are exact, round-trip, and ties go to even") {
  check_all<BFloat16>(8, 7, to_bfloat16);
}

TEST_CASE("float16: all 65,536 codes are exact, round-trip, and ties go to even") {
  check_all<Float16>(5, 10, to_float16);
}

TEST_CASE("16-bit floats overflow to infinity at the halfway point") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(to_float(to_float16(65504)) == 65504);
  CHECK(to_float(to_float16(65519.996f)) == 65504);
  CHECK(to_float(to_float16(65520)) == infinity);
  CHECK(to_float(to_float16(-1e9f)) == -infinity);
  CHECK(to_float(to_bfloat16(std::numeric_limits<float>::max())) == infinity);
  CHECK(to_float(to_bfloat16(infinity)) == infinity);
}

TEST_CASE("float16 underflows below half of its smallest value") {
  CHECK(to_float(to_float16(0x1p-24f)) == 0x1p-24f);
  CHECK(same(to_float(to_float16(0x1p-25f)), 0.0f));  // a tie: zero is even
  CHECK(to_float(to_float16(std::nextafter(0x1p-25f, 1.0f))) == 0x1p-24f);
  CHECK(same(to_float(to_float16(-0x1p-26f)), -0.0f));
}

TEST_CASE("float64 narrows to 16 bits with one rounding") {
  // Just above the middle of 1 and the next bfloat16; by way of float32 it would land on the middle and go down to
  // even.
  CHECK(to_float(convert<BFloat16>(1 + 0x1p-8 + 0x1p-40)) == 1 + 0x1p-7f);
  CHECK(to_float(convert<BFloat16>(1 + 0x1p-8)) == 1);
  CHECK(to_float(convert<Float16>(1 + 0x1p-11 + 0x1p-40)) == 1 + 0x1p-10f);
  CHECK(to_float(convert<Float16>(-(1 + 0x1p-11 - 0x1p-40))) == -1);
  CHECK(std::isnan(to_float(convert<Float16>(std::nan("")))));
}

TEST_CASE("integers saturate, ties go to even and NaN to zero") {
  CHECK(convert<std::int8_t>(127.6f) == 127);
  CHECK(convert<std::int8_t>(-1000.0f) == -128);
  CHECK(convert<std::uint8_t>(-3.0f) == 0);
  CHECK(convert<std::uint8_t>(255.5f) == 255);
  CHECK(convert<std::uint8_t>(std::int64_t{300}) == 255);
  CHECK(convert<std::int8_t>(2.5f) == 2);
  CHECK(convert<std::int8_t>(3.5f) == 4);
  CHECK(convert<std::int32_t>(3e9f) == 2147483647);
  CHECK(convert<std::int64_t>(-1e30) == std::numeric_limits<std::int64_t>::min());
  CHECK(convert<std::int32_t>(std::nanf("")) == 0);
  CHECK(to_float(convert<BFloat16>((std::int64_t{1} << 60) + (std::int64_t{1} << 52) + 1)) == 0x1p60f + 0x1p53f);
}
