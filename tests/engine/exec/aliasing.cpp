// Memory that a replay both reads and writes.
#include "engine/core/random.hpp"
#include "engine/exec/traced_function.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/matmul.hpp"
#include "engine/ops/unary.hpp"
#include "tests/catch.hpp"
#include "tests/engine/distance.hpp"

using namespace assay::engine;
using assay::engine::testing::distance;

TEST_CASE("a result of the last call can be an argument of the next") {
  const Tensor a = Tensor::zeros(Shape{64, 64});
  const Tensor x = Tensor::zeros(Shape{64, 64});
  fill_uniform(a.as<float>(), 1, 1, -0.1F, 0.1F);
  fill_uniform(x.as<float>(), 1, 2);
  TracedFunction f("times a", [&](std::span<const Tensor> in) { return std::vector<Tensor>{matmul(in[0], a), in[0]}; });
  const Tensor once = f({x})[0].clone();
  const auto expected = f({once})[0].to<float>();
  f({x});
  const Tensor result = f({x})[0];
  const auto& found = f({result});
  CHECK(found[0].to<float>() == expected);
  CHECK(found[1].to<float>() == once.to<float>());
}

TEST_CASE("a variable's own value can be an argument of a function that changes it") {
  const Variable w("w", Tensor::full(Shape{4}, 1));
  TracedFunction f("moves", [&](std::span<const Tensor> in) {
    w.assign(add_scalar(w.value(), 1));
    return std::vector<Tensor>{in[0] + w.value()};
  });
  CHECK(f({w.value()})[0].to<float>() == std::vector<float>(4, 3.0F));
}

TEST_CASE("a variable becomes a product of itself: its old value is read to the end") {
  for (const bool from_left : {true, false}) {
    const Tensor start = Tensor::zeros(Shape{96, 96}), other = Tensor::zeros(Shape{96, 96});
    fill_uniform(start.as<float>(), 3, 1, -1, 1);
    fill_uniform(other.as<float>(), 3, 2, -0.1F, 0.1F);
    const auto product = [&](const Tensor& w) { return from_left ? matmul(w, other) : matmul(other, w); };
    const auto once = product(start).clone();
    const auto expected = product(once).to<float>();
    const Variable w("w", start.clone());
    TracedFunction f("multiply", [&](std::span<const Tensor>) {
      w.assign(product(w.value()));
      return std::vector<Tensor>{};
    });
    f({});
    f({});
    CHECK(distance(w.value().to<float>(), expected) < 1e-5);
  }
}

TEST_CASE("a result can be a variable's value before the function changed it") {
  const Variable total("total", Tensor::scalar(0.0F));
  TracedFunction f("accumulate", [&](std::span<const Tensor> in) {
    const Tensor before = total.value();
    total.assign(before + in[0]);
    return std::vector<Tensor>{before, total.value()};
  });
  for (int i = 0; i < 3; ++i) {
    const auto& results = f({Tensor::scalar(10.0F)});
    CHECK(results[0].item<float>() == 10.0F * static_cast<float>(i));
    CHECK(results[1].item<float>() == 10.0F * static_cast<float>(i + 1));
  }
}

TEST_CASE("a variable of any type can be assigned from an argument") {
  for (const DType dtype : {DType::float32, DType::float64, DType::int8, DType::uint8, DType::int32, DType::int64}) {
    const Variable v("v", Tensor::zeros(Shape{2}, dtype));
    TracedFunction f("keep", [&](std::span<const Tensor> in) {
      v.assign(in[0]);
      return std::vector<Tensor>{};
    });
    const Tensor x = Tensor::zeros(Shape{2}, dtype);
    x.data()[0] = std::byte{3};
    f({x});
    CHECK(v.value().data()[0] == std::byte{3});
  }
}
