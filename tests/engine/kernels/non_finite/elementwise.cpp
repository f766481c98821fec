// Element-wise operations: a table of operands and results. Each row is repeated through vectors of several lengths, so
// that it meets whole vectors, their tails and the border between two threads.
#include "tests/engine/kernels/non_finite/non_finite.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

constexpr DType float_types[] = {DType::float32, DType::float64, DType::bfloat16, DType::float16};
constexpr std::int64_t lengths[] = {1, 7, 67, 70001};

struct UnaryRow {
  Op op;
  double scalar;
  std::vector<std::pair<double, double>> table;  // x, result
};

const UnaryRow unary_rows[] = {
    {Op::relu, 0, {{qnan, qnan}, {inf, inf}, {-inf, 0}, {-1, 0}, {2, 2}}},
    {Op::negate, 0, {{qnan, qnan}, {inf, -inf}, {-inf, inf}, {1, -1}}},
    {Op::exp, 0, {{qnan, qnan}, {inf, inf}, {-inf, 0}, {1000, inf}, {-1000, 0}, {0, 1}}},
    {Op::log, 0, {{qnan, qnan}, {inf, inf}, {-inf, qnan}, {0, -inf}, {-1, qnan}, {1, 0}}},
    {Op::sqrt, 0, {{qnan, qnan}, {inf, inf}, {-inf, qnan}, {-1, qnan}, {0, 0}, {4, 2}}},
    {Op::square, 0, {{qnan, qnan}, {inf, inf}, {-inf, inf}, {-2, 4}}},
    {Op::tanh, 0, {{qnan, qnan}, {inf, 1}, {-inf, -1}, {1000, 1}, {0, 0}}},
    {Op::scale, 0, {{qnan, qnan}, {inf, qnan}, {-inf, qnan}, {1, 0}}},
    {Op::scale, -2, {{qnan, qnan}, {inf, -inf}, {-inf, inf}, {1, -2}}},
    {Op::scale, inf, {{qnan, qnan}, {0, qnan}, {1, inf}, {-1, -inf}}},
    {Op::add_scalar, 1, {{qnan, qnan}, {inf, inf}, {-inf, -inf}, {1, 2}}},
    {Op::add_scalar, -inf, {{qnan, qnan}, {inf, qnan}, {-inf, -inf}, {1, -inf}}},
};

struct BinaryRow {
  Op op;
  std::vector<std::array<double, 3>> table;  // a, b, result
};

const BinaryRow binary_rows[] = {
    {Op::add, {{qnan, 1, qnan}, {1, qnan, qnan}, {inf, -inf, qnan}, {inf, 1, inf}, {-inf, -inf, -inf}, {1, 2, 3}}},
    {Op::subtract, {{qnan, 1, qnan}, {1, qnan, qnan}, {inf, inf, qnan}, {inf, -inf, inf}, {1, inf, -inf}, {1, 2, -1}}},
    {Op::multiply, {{qnan, 0, qnan}, {0, qnan, qnan}, {inf, 0, qnan}, {0, -inf, qnan}, {inf, -1, -inf}, {2, 3, 6}}},
    {Op::divide,
     {{qnan, 1, qnan},
      {1, qnan, qnan},
      {0, 0, qnan},
      {inf, inf, qnan},
      {1, 0, inf},
      {-1, 0, -inf},
      {1, inf, 0},
      {6, 2, 3}}},
    {Op::maximum,
     {{qnan, 1, qnan},
      {1, qnan, qnan},
      {qnan, inf, qnan},
      {inf, qnan, qnan},
      {-inf, 1, 1},
      {1, inf, inf},
      {-inf, -inf, -inf}}},
    {Op::equal, {{qnan, qnan, 0}, {qnan, 1, 0}, {1, qnan, 0}, {inf, inf, 1}, {inf, -inf, 0}, {2, 2, 1}}},
    // (dy, output of relu): a dropped gradient is 0 whatever it was, and a NaN output lets it through.
    {Op::relu_gradient,
     {{1, qnan, 1},
      {qnan, qnan, qnan},
      {1, inf, 1},
      {qnan, 0, 0},
      {inf, 0, 0},
      {qnan, 2, qnan},
      {-inf, 2, -inf},
      {1, 0, 0}}},
};

/// Column `column` of the rows, repeated to n elements from row `first` on.
template <class Row>
Values repeated(const std::vector<Row>& table, std::int64_t n, std::size_t first, DType dtype, auto&& column) {
  std::vector<double> elements;
  for (std::int64_t i = 0; i < n; ++i)
    elements.push_back(column(table[(first + static_cast<std::size_t>(i)) % table.size()]));
  return values({n}, std::move(elements), dtype);
}

DType result_type(Op op, DType dtype) { return op == Op::equal && dtype != DType::float64 ? DType::float32 : dtype; }

}  // namespace

TEST_CASE("NaN and infinity through functions of one value") {
  for (const UnaryRow& row : unary_rows) {
    for (const DType dtype : float_types) {
      for (const std::int64_t n : lengths) {
        for (std::size_t first = 0; first < (n == 1 ? row.table.size() : 1); ++first) {
          check_everywhere({row.op, {.scalar = row.scalar}},
                           {repeated(row.table, n, first, dtype, [](const auto& pair) { return pair.first; })},
                           {repeated(row.table, n, first, dtype, [](const auto& pair) { return pair.second; })},
                           std::string(name(dtype)) + " [" + std::to_string(n) + "]");
        }
      }
    }
  }
}

TEST_CASE("NaN and infinity through functions of two values") {
  for (const BinaryRow& row : binary_rows) {
    const auto column = [](std::size_t i) { return [i](const std::array<double, 3>& cells) { return cells[i]; }; };
    for (const DType dtype : float_types) {
      const std::string what{name(dtype)};
      const DType result = result_type(row.op, dtype);
      for (const std::int64_t n : lengths) {
        check_everywhere({row.op},
                         {repeated(row.table, n, 0, dtype, column(0)), repeated(row.table, n, 0, dtype, column(1))},
                         {repeated(row.table, n, 0, result, column(2))}, what);
      }
      if (row.op == Op::relu_gradient) continue;  // no scalar second operand
      for (const auto& [a, b, expected] : row.table) {
        check_everywhere({row.op}, {values({37}, std::vector<double>(37, a), dtype), values({}, {b}, dtype)},
                         {values({37}, std::vector<double>(37, expected), result)}, what + ", scalar");
      }
    }
  }
}

TEST_CASE("a bias that is not finite spoils its channel, and a value that is not finite stays in its place") {
  for (const DType dtype : float_types) {
    check_everywhere(
        {Op::add_bias},
        {values({3, 4}, {1, 1, 1, 1, qnan, inf, inf, 1, 1, 1, -inf, 1}, dtype), values({4}, {0, 1, -inf, qnan}, dtype)},
        {values({3, 4}, {1, 2, -inf, qnan, qnan, inf, qnan, qnan, 1, 2, -inf, qnan}, dtype)}, std::string(name(dtype)));
  }
}

TEST_CASE("dropout drops NaN and infinity like other values: 0 where the mask is 0") {
  constexpr std::int64_t n = 70001;
  for (const DType dtype : float_types) {
    const TensorType mask_type{DType::uint8, {n}, {}};
    const Values key = values({2}, {42, 7}, DType::int64);
    const Values ones = values({n}, std::vector<double>(n, 1), dtype);
    const Values mask =
        run_operation({Op::dropout, {.scalar = 0.5}}, {ones, key}, {ones.type, mask_type}, &reference_backend()).out[1];
    std::vector<double> special(n), expected(n);
    for (std::size_t i = 0; i < n; ++i) {
      special[i] = i % 3 == 0 ? qnan : i % 3 == 1 ? inf : -inf;
      expected[i] = mask.elements[i] == 0 ? 0 : special[i];
    }
    const Values x = values({n}, special, dtype), y = values({n}, expected, dtype);
    check_everywhere({Op::dropout, {.scalar = 0.5}}, {x, key}, {y, mask}, std::string(name(dtype)));
    check_everywhere({Op::dropout_gradient, {.scalar = 0.5}}, {x, mask}, {y}, std::string(name(dtype)));
  }
}

TEST_CASE("copies keep NaN and infinity") {
  for (const DType dtype : float_types) {
    const Values row = values({4}, {qnan, inf, -inf, 1}, dtype);
    check_everywhere({Op::reshape, {.shape = {2, 2}}}, {row}, {values({2, 2}, row.elements, dtype)}, "");
    check_everywhere({Op::broadcast, {.axes = 1, .shape = {2, 4}}}, {row},
                     {values({2, 4}, {qnan, inf, -inf, 1, qnan, inf, -inf, 1}, dtype)}, "rows");
    check_everywhere({Op::broadcast, {.axes = 2, .shape = {4, 2}}}, {row},
                     {values({4, 2}, {qnan, qnan, inf, inf, -inf, -inf, 1, 1}, dtype)}, "columns");
    const Values scalar = values({}, {1}, DType::float32);
    check_everywhere({Op::quantize_gradient}, {row, scalar, scalar}, {row}, "");
  }
}
