#include "engine/exec/eager.hpp"

#include "engine/core/variable.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/matmul.hpp"
#include "engine/ops/unary.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

TEST_CASE("an operation on known types prepares no kernel, on new ones it does") {
  clear_eager_cache();
  const Tensor x = Tensor::full(Shape{5}, 2);
  x + x;
  const std::uint64_t once = kernels_prepared();
  for (int i = 0; i < 5; ++i) CHECK((x + x).to<float>() == std::vector<float>(5, 4.0F));
  CHECK(kernels_prepared() == once);
  const Tensor longer = Tensor::full(Shape{6}, 2);
  longer + longer;
  CHECK(kernels_prepared() == once + 1);
  scale(x, 2);
  scale(x, 3);  // another attribute is another kernel
  CHECK(kernels_prepared() == once + 3);
  CHECK(scale(x, 3).to<float>() == std::vector<float>(5, 6.0F));
}

TEST_CASE("with engine.cache_primitives off every call prepares its kernel, the answer stays") {
  const SettingsScope scope({1, ControlSet{}.without(Control::cache_primitives)});
  const Tensor a = Tensor::from<float>(Shape{2, 2}, {1, 2, 3, 4});
  matmul(a, a);
  const std::uint64_t before = kernels_prepared();
  for (int i = 0; i < 3; ++i) CHECK(matmul(a, a).to<float>() == std::vector<float>{7, 10, 15, 22});
  CHECK(kernels_prepared() == before + 3);
}

TEST_CASE("settings end with their scope, and belong to the thread") {
  const Settings before = settings();
  {
    const SettingsScope scope({7, ControlSet{}.without(Control::prepack), &reference_backend()});
    CHECK(settings().threads == 7);
    CHECK_FALSE(settings().controls.on(Control::prepack));
  }
  CHECK((settings() == before));
}

TEST_CASE("a variable takes values of its own type only, and keeps its storage") {
  const Variable w("dense_0/kernel", Tensor::zeros(Shape{2}));
  const std::byte* const place = w.data();
  const Tensor source = Tensor::from<float>(Shape{2}, {1, 2});
  w.assign(source);
  source.as<float>()[0] = 9;  // assigning copied
  CHECK(w.value().to<float>() == std::vector<float>{1, 2});
  CHECK(w.data() == place);
  CHECK_THROWS_WITH(w.assign(Tensor::zeros(Shape{3})), Catch::Matchers::Contains("dense_0/kernel"));
  CHECK_THROWS_AS(w.assign(Tensor::zeros(Shape{2}, DType::float64)), std::invalid_argument);
}

TEST_CASE("a tensor is read as what it is") {
  const Tensor x = Tensor::from<float>(Shape{2, 2}, {1, 2, 3, 4});
  CHECK_THROWS_AS(x.as<double>(), std::invalid_argument);
  CHECK(x.rows(1, 2).to<float>() == std::vector<float>{3, 4});
  CHECK_THROWS_AS(x.rows(1, 3), std::out_of_range);
  CHECK_THROWS_AS(Tensor().data(), std::logic_error);
  CHECK_THROWS_AS((Tensor::from<float>(Shape{3}, {1, 2})), std::invalid_argument);
  const Tensor copy = x;
  copy.as<float>()[0] = 8;
  CHECK(x.as<float>()[0] == 8.0F);  // handles share
  CHECK(copy.id() == x.id());
  CHECK(x.clone().id() != x.id());
}
