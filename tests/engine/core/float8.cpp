// float8 against a table made from the formats' definitions in float64, by a search that knows nothing of bits.
#include "engine/core/float8.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "engine/core/convert.hpp"
#include "engine/core/random.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

struct Format {
  int exponent_bits, fraction_bits, bias;
  bool infinities;  // else only the code of all ones is NaN, and the codes below it are numbers
};
constexpr Format e4m3{4, 3, 7, false}, e5m2{5, 2, 15, true};

/// (-1)^s 2^(e - bias) 1.f, or 2^(1 - bias) 0.f where e is 0.
double defined(int code, const Format& format) {
  const int exponent = (code >> format.fraction_bits) & ((1 << format.exponent_bits) - 1);
  const int fraction = code & ((1 << format.fraction_bits) - 1);
  const double sign = (code & 0x80) != 0 ? -1 : 1, share = std::ldexp(fraction, -format.fraction_bits);
  if (exponent == (1 << format.exponent_bits) - 1) {
    if (format.infinities && fraction == 0) return sign * std::numeric_limits<double>::infinity();
    if (format.infinities || fraction == (1 << format.fraction_bits) - 1) return std::nan("");
  }
  return sign * (exponent == 0 ? std::ldexp(share, 1 - format.bias) : std::ldexp(1 + share, exponent - format.bias));
}

/// The code of the nearest number, the even one of two equally near; overflow is decided as if the next number existed.
int nearest(double value, const Format& format, Overflow overflow) {
  std::map<double, int> numbers;  // magnitudes
  for (int code = 0; code < 0x80; ++code) {
    const double number = defined(code, format);
    if (std::isfinite(number)) numbers[number] = code;
  }
  const auto last = std::prev(numbers.end());
  const double magnitude = std::fabs(value), beyond = 2 * last->first - std::prev(last)->first;
  const int sign = std::signbit(value) ? 0x80 : 0;
  numbers[beyond] = last->second + 1;
  const auto above = numbers.lower_bound(std::min(magnitude, beyond));
  int code = above->second;
  if (above->first != magnitude && above != numbers.begin()) {
    const auto below = std::prev(above);
    const double up = above->first - magnitude, down = magnitude - below->first;
    if (down < up || (down == up && below->second % 2 == 0)) code = below->second;
  }
  if (code <= last->second) return sign | code;
  if (overflow == Overflow::saturate) return sign | last->second;
  return sign | (format.infinities ? last->second + 1 : 0x7f);
}

template <class Float8, class Narrow>
void check_all(const Format& format, Narrow narrow) {
  for (int code = 0; code < 256; ++code) {
    INFO("code " << code);
    const Float8 value{static_cast<std::uint8_t>(code)};
    const double number = defined(code, format);
    const float wide = to_float(value);
    if (std::isnan(number)) {
      CHECK(std::isnan(wide));
      CHECK(std::isnan(to_float(narrow(wide, Overflow::saturate))));
      continue;
    }
    CHECK(static_cast<double>(wide) == number);
    CHECK(std::signbit(wide) == ((code & 0x80) != 0));
    CHECK(narrow(wide, Overflow::saturate) == value);
    CHECK(convert<Float8>(static_cast<double>(wide)) == value);
  }
}

/// Every middle between neighbours with the float32 beside it, the ends, and a sweep of exponents.
std::vector<float> hard_values(const Format& format) {
  std::vector<float> values{0, 1e-45F, 1e-38F, 1e-12F, 1e9F, std::numeric_limits<float>::max()};
  for (int code = 0; code < 0x7f; ++code) {
    const double low = defined(code, format), high = defined(code + 1, format);
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    const auto middle = static_cast<float>((low + high) / 2);
    for (const float value : {std::nextafter(middle, 0.0F), middle, std::nextafter(middle, 1e9F)})
      values.push_back(value);
  }
  for (const float end : {448.0F, 464.0F, 480.0F, 57344.0F, 61440.0F, 65536.0F}) {
    for (const float value : {std::nextafter(end, 0.0F), end, std::nextafter(end, 1e9F)}) values.push_back(value);
  }
  for (std::uint64_t i = 0; i < 5000; ++i)
    values.push_back(std::ldexp(1 + static_cast<float>(uniform(1, 2, i)), static_cast<int>(i % 40) - 22));
  return values;
}

template <class Narrow>
void check_rounding(const Format& format, Narrow narrow) {
  for (const float magnitude : hard_values(format)) {
    for (const float value : {magnitude, -magnitude}) {
      for (const Overflow overflow : {Overflow::saturate, Overflow::special}) {
        INFO(value << (overflow == Overflow::saturate ? " saturating" : ""));
        CHECK(static_cast<int>(narrow(value, overflow).bits) == nearest(static_cast<double>(value), format, overflow));
      }
    }
  }
}

}  // namespace

TEST_CASE("float8 E4M3: all 256 codes are what the format defines and round-trip") {
  check_all<Float8E4M3>(e4m3, to_float8_e4m3);
  CHECK(to_float(Float8E4M3{0x7e}) == 448);
  CHECK(to_float(Float8E4M3{0x01}) == 0x1p-9F);
}

TEST_CASE("float8 E5M2: all 256 codes are what the format defines and round-trip") {
  check_all<Float8E5M2>(e5m2, to_float8_e5m2);
  CHECK(to_float(Float8E5M2{0x7b}) == 57344);
  CHECK(to_float(Float8E5M2{0x01}) == 0x1p-16F);
}

TEST_CASE("float8 rounds to the nearest number, ties to even, subnormals and overflow included") {
  check_rounding(e4m3, to_float8_e4m3);
  check_rounding(e5m2, to_float8_e5m2);
}

TEST_CASE("float8: what is not finite stays visible, whatever the overflow policy") {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Overflow overflow : {Overflow::saturate, Overflow::special}) {
    CHECK(std::isnan(to_float(to_float8_e4m3(infinity, overflow))));
    CHECK(to_float(to_float8_e5m2(-infinity, overflow)) == -infinity);
    CHECK(std::isnan(to_float(to_float8_e4m3(std::nanf(""), overflow))));
    CHECK(std::isnan(to_float(to_float8_e5m2(std::nanf(""), overflow))));
  }
}

TEST_CASE("float64 narrows to float8 with one rounding") {
  // Just above the middle of 1 and the next: by way of float32 it would land on the middle and go down to even.
  CHECK(to_float(convert<Float8E4M3>(1 + 0x1p-4 + 0x1p-40)) == 1.125F);
  CHECK(to_float(convert<Float8E5M2>(1 + 0x1p-3 + 0x1p-40)) == 1.25F);
}
