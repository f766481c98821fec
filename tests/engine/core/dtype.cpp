#include "engine/core/dtype.hpp"

#include <stdexcept>

#include "tests/catch.hpp"

using namespace assay::engine;

TEST_CASE("dtypes have names and sizes, and names lead back") {
  struct Row {
    DType dtype;
    const char* name;
    std::size_t size;
  };
  const Row rows[] = {{DType::float32, "float32", 4},
                      {DType::float64, "float64", 8},
                      {DType::bfloat16, "bfloat16", 2},
                      {DType::float16, "float16", 2},
                      {DType::int8, "int8", 1},
                      {DType::uint8, "uint8", 1},
                      {DType::int32, "int32", 4},
                      {DType::int64, "int64", 8},
                      {DType::float8_e4m3, "float8_e4m3", 1},
                      {DType::float8_e5m2, "float8_e5m2", 1}};
  for (const Row& row : rows) {
    CHECK(name(row.dtype) == row.name);
    CHECK(size_of(row.dtype) == row.size);
    CHECK(dtype_from(row.name) == row.dtype);
  }
}

TEST_CASE("an unknown dtype is named with the valid ones") {
  CHECK_THROWS_WITH(dtype_from("float23"), Catch::Contains("float23") && Catch::Contains("bfloat16"));
  CHECK_THROWS_AS(dtype_from(""), std::invalid_argument);
}
