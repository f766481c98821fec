// Operands that do not fit: the error names the operation and what it was given.
#include <functional>

#include "engine/ops/arithmetic.hpp"
#include "engine/ops/convolution.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/matmul.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/shape.hpp"
#include "engine/ops/unary.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

std::string error_of(const std::function<void()>& fn) {
  try {
    fn();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no std::invalid_argument";
}

Tensor zeros(const Shape& shape) { return Tensor::zeros(shape); }

}  // namespace

TEST_CASE("operands that do not fit are named with their operation, dtypes and shapes") {
  using Catch::Matchers::Contains;
  const Tensor labels = Tensor::zeros(Shape{2}, DType::int32);
  struct Case {
    std::function<void()> call;
    std::vector<std::string> said;
  };
  const std::vector<Case> cases = {
      {[] {
         matmul(zeros({3, 4}), zeros({5, 6}));
       },
       {"matmul", "float32 3x4", "float32 5x6"}},
      {[] {
         matmul(zeros({3, 4}), zeros({4, 6}), true);
       },
       {"matmul", "3x4", "4x6", "transposed"}},
      {[] {
         matmul(zeros({3}), zeros({3, 6}));
       },
       {"matmul", "3", "3x6"}},
      {[] {
         matmul(zeros({3, 4}), Tensor::zeros({4, 6}, DType::float64));
       },
       {"matmul", "float32", "float64"}},
      {[] {
         conv2d(zeros({1, 8, 8, 2}), zeros({3, 3, 1, 4}));
       },
       {"conv2d", "1x8x8x2", "3x3x1x4"}},
      {[] {
         conv2d(zeros({1, 2, 8, 1}), zeros({3, 3, 1, 4}));
       },
       {"conv2d", "1x2x8x1", "window"}},
      {[] {
         add_bias(zeros({3, 4}), zeros({3}));
       },
       {"add_bias", "3x4", "float32 3"}},
      {[] {
         max_pool(zeros({1, 1, 8, 1}), 2, 2);
       },
       {"max_pool", "1x1x8x1"}},
      {[] {
         max_pool(zeros({8, 8}), 2, 2);
       },
       {"max_pool", "8x8"}},
      {[] {
         dropout(zeros({3, 4}), zeros({2}), 0.5);
       },
       {"dropout", "key", "float32 2"}},
      {[] {
         dropout(zeros({3, 4}), Tensor::zeros({2}, DType::int64), 1.0);
       },
       {"dropout", "1.0"}},
      {[] { softmax(zeros({4})); }, {"softmax", "float32 4"}},
      {[labels] {
         softmax_cross_entropy(zeros({3, 4}), labels);
       },
       {"softmax_cross_entropy", "3x4", "int32 2"}},
      {[] {
         softmax_cross_entropy(zeros({2, 4}), zeros({2}));
       },
       {"softmax_cross_entropy", "float32 2"}},
      {[] {
         sum(zeros({3, 4}), 4);
       },
       {"sum", "3x4"}},
      {[] { argmax(zeros({3})); }, {"argmax", "float32 3"}},
      {[] {
         reshape(zeros({3, 4}), Shape{5, 2});
       },
       {"reshape", "3x4", "5x2"}},
      {[] {
         broadcast(zeros({3}), Shape{3, 4}, 1);
       },
       {"broadcast", "float32 3"}},
      {[] {
         zeros({3, 4}) + zeros({4, 3});
       },
       {"add", "3x4", "4x3"}},
      {[] { zeros({3}) * Tensor::zeros({3}, DType::float64); }, {"multiply", "float32", "float64"}},
  };
  for (const Case& test : cases) {
    const std::string said = error_of(test.call);
    for (const std::string& part : test.said) CHECK_THAT(said, Contains(part));
  }
}

TEST_CASE("shapes of results") {
  CHECK((matmul(zeros({4, 3}), zeros({5, 4}), true, true).shape() == Shape{3, 5}));
  CHECK((conv2d(zeros({2, 28, 28, 1}), zeros({3, 3, 1, 16})).shape() == Shape{2, 26, 26, 16}));
  CHECK((conv2d(zeros({2, 7, 8, 1}), zeros({3, 3, 1, 4}), 2, Padding::same).shape() == Shape{2, 4, 4, 4}));
  CHECK((max_pool(zeros({2, 13, 13, 3}), 2, 2).shape() == Shape{2, 6, 6, 3}));
  CHECK((mean(zeros({2, 3, 4}), 2).shape() == Shape{2, 4}));
  CHECK((sum(zeros({2, 3})).shape() == Shape{}));
  CHECK((flatten(zeros({2, 3, 4})).shape() == Shape{2, 12}));
  CHECK(equal(Tensor::zeros({2}, DType::int32), Tensor::zeros({2}, DType::int32)).dtype() == DType::float32);
}
