// Casts, finite checks and float8.
#include "tests/engine/kernels/non_finite/non_finite.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

struct CastRow {
  DType to;
  std::vector<std::pair<double, double>> table;  // float64 value, result
};

const CastRow cast_rows[] = {
    {DType::float64, {{qnan, qnan}, {inf, inf}, {-inf, -inf}, {1e300, 1e300}}},
    {DType::float32,
     {{qnan, qnan}, {inf, inf}, {-inf, -inf}, {1e300, inf}, {-1e300, -inf}, {0x1.fffffep127, 0x1.fffffep127}}},
    {DType::bfloat16,
     {{qnan, qnan}, {inf, inf}, {-inf, -inf}, {1e300, inf}, {0x1.fffffep127, inf}, {0x1.fep127, 0x1.fep127}}},
    {DType::float16, {{qnan, qnan}, {inf, inf}, {-inf, -inf}, {1e6, inf}, {65520, inf}, {65519, 65504}, {-1e6, -inf}}},
    {DType::float8_e5m2, {{qnan, qnan}, {inf, inf}, {-inf, -inf}, {1e6, 57344}, {-1e300, -57344}}},
    {DType::float8_e4m3, {{qnan, qnan}, {inf, qnan}, {-inf, qnan}, {1e6, 448}, {-1e300, -448}}},
    {DType::int8, {{qnan, 0}, {inf, 127}, {-inf, -128}, {1e6, 127}}},
    {DType::uint8, {{qnan, 0}, {inf, 255}, {-inf, 0}, {1e6, 255}, {-1, 0}}},
    {DType::int32, {{qnan, 0}, {inf, 2147483647}, {-inf, -2147483648.0}, {1e300, 2147483647}}},
    {DType::int64, {{qnan, 0}, {inf, 9223372036854775807.0}, {-inf, -9223372036854775808.0}}},
};

Values cast_column(const CastRow& row, DType dtype, std::int64_t n, bool result) {
  std::vector<double> elements;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto& [x, y] = row.table[static_cast<std::size_t>(i) % row.table.size()];
    elements.push_back(result ? y : x);
  }
  return values({n}, std::move(elements), dtype);
}

}  // namespace

TEST_CASE("casts round what is too large to infinity, float8 and integers saturate, and NaN as an integer is 0") {
  for (const CastRow& row : cast_rows) {
    for (const std::int64_t n : {1, 67, 70001}) {
      check_everywhere({Op::cast, {.dtype = row.to}}, {cast_column(row, DType::float64, n, false)},
                       {cast_column(row, row.to, n, true)}, "float64 to " + std::string(name(row.to)));
      // From float32 the same, but for values that float32 itself makes infinite.
      CastRow narrower{row.to, {}};
      for (const auto& [x, y] : row.table) {
        if (!(std::fabs(x) > 1e100) || std::isinf(x)) narrower.table.emplace_back(x, y);
      }
      check_everywhere({Op::cast, {.dtype = row.to}}, {cast_column(narrower, DType::float32, n, false)},
                       {cast_column(narrower, row.to, n, true)}, "float32 to " + std::string(name(row.to)));
    }
  }
  for (const DType from : {DType::bfloat16, DType::float16}) {
    for (const DType to : {DType::float32, DType::float64, DType::bfloat16, DType::float16}) {
      const std::vector<double> same{qnan, inf, -inf, 1};
      check_everywhere({Op::cast, {.dtype = to}}, {values({4}, same, from)}, {values({4}, same, to)},
                       std::string(name(from)) + " to " + std::string(name(to)));
    }
  }
}

TEST_CASE("a result too large for a 16-bit type is infinite, and one too large for float8 saturates") {
  const auto product = [](DType dtype, double factor, double expected) {
    check_everywhere({Op::matmul}, {values({1, 1}, {factor}, dtype), values({1, 1}, {factor}, dtype)},
                     {values({1, 1}, {expected}, dtype)}, std::string(name(dtype)));
  };
  product(DType::float16, 1024, inf);
  product(DType::bfloat16, 0x1p100, inf);
  product(DType::float8_e5m2, 1024, 57344);
  product(DType::float8_e4m3, 64, 448);
}

TEST_CASE("all_finite finds one NaN or infinity in any place") {
  for (const DType dtype : {DType::float32, DType::float64, DType::bfloat16, DType::float16}) {
    for (const double special : {qnan, inf, -inf, 1.0}) {
      for (const std::size_t place : {0u, 15u, 16u, 50u, 66u}) {
        Values x = values({67}, std::vector<double>(67, 1), dtype);
        x.elements[place] = special;
        check_everywhere({Op::all_finite}, {x}, {values({}, {special == 1 ? 1.0 : 0.0})}, std::string(name(dtype)));
      }
    }
  }
}

TEST_CASE("quantizing keeps NaN and E5M2's infinity, saturates what is finite, and notes the largest finite value") {
  for (const DType dtype : {DType::float32, DType::float64, DType::bfloat16}) {
    const auto quantized = [&](DType format, double scale, std::vector<double> x, std::vector<double> y, double amax) {
      const auto n = static_cast<std::int64_t>(x.size());
      check_everywhere({Op::quantize, {.dtype = format}},
                       {values({n}, std::move(x), dtype), values({}, {scale}, DType::float32)},
                       {values({n}, std::move(y), dtype), values({}, {amax}, DType::float32)},
                       std::string(name(dtype)) + " on the grid of " + std::string(name(format)));
    };
    quantized(DType::float8_e4m3, 1, {qnan, inf, -inf, 1000, -1000, 1}, {qnan, qnan, qnan, 448, -448, 1}, 1000);
    quantized(DType::float8_e5m2, 1, {qnan, inf, -inf, 1e5, -1e5, 1}, {qnan, inf, -inf, 57344, -57344, 1}, 1e5);
    // The product with the scale overflows float32.
    quantized(DType::float8_e4m3, 0x1p100, {0x1p100, -0x1p100, 0, inf}, {448 * 0x1p-100, -448 * 0x1p-100, 0, qnan},
              0x1p100);
    quantized(DType::float8_e5m2, 0x1p100, {0x1p100, -0x1p100, 0, inf}, {57344 * 0x1p-100, -57344 * 0x1p-100, 0, inf},
              0x1p100);
  }
}

TEST_CASE("a float64 beyond float32's range saturates on a float8 grid") {
  check_everywhere({Op::quantize, {.dtype = DType::float8_e4m3}},
                   {values({3}, {1e300, -1e308, 2}, DType::float64), values({}, {0x1p90}, DType::float32)},
                   {values({3}, {448 * 0x1p-90, -448 * 0x1p-90, 448 * 0x1p-90}, DType::float64), values({}, {2})}, "");
}

TEST_CASE("the scale of float8 is 1 where the history holds NaN or infinity") {
  for (const DType format : {DType::float8_e4m3, DType::float8_e5m2}) {
    for (const double special : {qnan, inf}) {
      for (const std::size_t place : {0u, 3u, 4u}) {
        Values history = values({5}, {100, 100, 100, 100, 100});
        history.elements[place] = special;
        check_everywhere({Op::float8_scale, {.dtype = format}}, {history}, {values({}, {1})}, "");
      }
    }
  }
}
