#include "engine/core/dtype.hpp"

#include <array>
#include <stdexcept>
#include <string>

namespace assay::engine {
namespace {

struct Row {
  DType dtype;
  std::string_view name;
  std::size_t size;
};

constexpr std::array<Row, 10> table{{
    {DType::float32, "float32", 4},
    {DType::float64, "float64", 8},
    {DType::bfloat16, "bfloat16", 2},
    {DType::float16, "float16", 2},
    {DType::int8, "int8", 1},
    {DType::uint8, "uint8", 1},
    {DType::int32, "int32", 4},
    {DType::int64, "int64", 8},
    {DType::float8_e4m3, "float8_e4m3", 1},
    {DType::float8_e5m2, "float8_e5m2", 1},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].dtype) != i) return false;
  }
  return true;
}
static_assert(in_order(), "the table is indexed by the enumeration");

}  // namespace

std::size_t size_of(DType dtype) { return table[static_cast<std::size_t>(dtype)].size; }

std::string_view name(DType dtype) { return table[static_cast<std::size_t>(dtype)].name; }

DType dtype_from(std::string_view name) {
  std::string valid;
  for (const Row& row : table) {
    if (row.name == name) return row.dtype;
    valid += valid.empty() ? "" : ", ";
    valid += row.name;
  }
  throw std::invalid_argument("unknown dtype '" + std::string(name) + "'; expected one of " + valid);
}

}  // namespace assay::engine
