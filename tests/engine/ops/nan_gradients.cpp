// Where the gradient goes when an operand is NaN: to the NaN that decided the result, as in PyTorch.
#include <cmath>

#include "engine/autograd/gradients.hpp"
#include "engine/kernels/settings.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/shape.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

const float qnan = std::nanf("");

std::vector<float> gradient(const Tensor& x, const std::function<Tensor(const Tensor&)>& of) {
  const Variable variable("x", x);
  return value_and_gradients([&] { return of(variable.value()); }, {{variable}}).gradients[0].to<float>();
}

}  // namespace

TEST_CASE("the gradient of a maximum goes to NaN, on every back end") {
  for (const Backend* backend : {&reference_backend(), &eigen_backend(), static_cast<const Backend*>(nullptr)}) {
    const SettingsScope scope({1, {}, backend});
    const Tensor row = Tensor::from<float>(Shape{4}, {1, qnan, 3, 2});
    CHECK(gradient(row, [](const Tensor& x) { return max(x); }) == std::vector<float>{0, 1, 0, 0});
    // NaN in the first operand, in the second, in neither.
    const Tensor other = Tensor::from<float>(Shape{4}, {qnan, 5, 2, 2});
    CHECK(gradient(row, [&](const Tensor& x) { return sum(maximum(x, other)); }) == std::vector<float>{0, 1, 1, 1});
    CHECK(gradient(row, [&](const Tensor& x) { return sum(maximum(other, x)); }) == std::vector<float>{0, 1, 1, 0});
    // A ReLU lets the gradient of a NaN through, and so does a pooling window.
    CHECK(gradient(row, [](const Tensor& x) { return sum(relu(x)); }) == std::vector<float>{1, 1, 1, 1});
    const auto pooled = [](const Tensor& x) { return sum(max_pool(reshape(x, Shape{1, 2, 2, 1}), 2, 2)); };
    CHECK(gradient(row, pooled) == std::vector<float>{0, 1, 0, 0});
  }
}
