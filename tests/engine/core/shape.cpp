#include "engine/core/shape.hpp"

#include <stdexcept>
#include <vector>

#include "tests/catch.hpp"

using namespace assay::engine;

TEST_CASE("shapes count, index and print") {
  const Shape shape{2, 3, 5};
  CHECK(shape.rank() == 3);
  CHECK(shape.elements() == 30);
  CHECK(shape[0] == 2);
  CHECK(shape[-1] == 5);
  CHECK(to_string(shape) == "2x3x5");
  CHECK(to_string(Shape{}) == "scalar");
  CHECK(Shape{}.elements() == 1);
  CHECK(Shape{4, 0}.elements() == 0);
}

TEST_CASE("shapes compare by rank and dimensions") {
  CHECK(Shape{2, 3} == Shape{2, 3});
  CHECK(Shape{2, 3} != Shape{3, 2});
  CHECK(Shape{2} != Shape{2, 1});
  CHECK(Shape{0} != Shape{});
}

TEST_CASE("with_rows changes the outermost dimension alone") {
  CHECK(Shape{128, 784}.with_rows(7) == Shape{7, 784});
  CHECK_THROWS_AS(Shape{}.with_rows(1), std::invalid_argument);
  CHECK_THROWS_AS((Shape{1, 2}.with_rows(-1)), std::invalid_argument);
}

TEST_CASE("a shape refuses negative and too many dimensions") {
  CHECK_THROWS_AS((Shape{2, -1}), std::invalid_argument);
  CHECK_THROWS_WITH(Shape(std::vector<std::int64_t>(7, 1)), Catch::Contains("6") && Catch::Contains("7"));
}
