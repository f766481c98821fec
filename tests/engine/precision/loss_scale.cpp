// Loss scaling: how the scale moves, and that a skipped step changes nothing.
#include "engine/precision/loss_scale.hpp"

#include <cmath>
#include <limits>

#include "engine/autograd/gradients.hpp"
#include "engine/exec/traced_function.hpp"
#include "engine/nn/model.hpp"
#include "engine/nn/optimizer.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/unary.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// A weight that is updated by gradients that the test hands in, scaled as a narrow training would have them.
struct Toy {
  explicit Toy(const LossScaleSettings& settings, bool traced = true)
      : scale(settings), step("toy", [this](std::span<const Tensor> in) {
          const auto unscaled = scale.unscaled(std::vector{in[0]});
          optimizer->update(unscaled.gradients, unscaled.finite);
          scale.advance(unscaled.finite);
          return std::vector{unscaled.finite, unscaled.gradients[0]};
        }) {
    if (!traced) set_settings({1, ControlSet{}.without(Control::trace)});
  }
  ~Toy() { set_settings({}); }

  /// One step on a gradient of this value; whether it was applied.
  bool operator()(float gradient) { return step({Tensor::from<float>(Shape{2}, {1, gradient})})[0].item<float>() == 1; }
  float now() const { return scale.scale().value().item<float>(); }

  Variable weight{"w", Tensor::from<float>(Shape{2}, {0.5, -0.5})};
  std::unique_ptr<Optimizer> optimizer = make_adam({weight}, 0.01);
  LossScale scale;
  TracedFunction step;
};

}  // namespace

TEST_CASE("the scale doubles after 2,000 clean steps and halves on infinity and NaN, traced and eager") {
  for (const bool traced : {true, false}) {
    Toy toy({.initial = 1024}, traced);
    for (int i = 0; i < 1999; ++i) CHECK(toy(1));
    CHECK(toy.now() == 1024);
    CHECK(toy(1));
    CHECK(toy.now() == 2048);
    CHECK_FALSE(toy(infinity));
    CHECK(toy.now() == 1024);
    CHECK_FALSE(toy(std::nanf("")));
    CHECK(toy.now() == 512);
    CHECK(toy.scale.skipped().value().item<float>() == 2);
  }
}

TEST_CASE("after a skip the clean steps are counted anew") {
  Toy toy({.initial = 16, .growth_interval = 3});
  toy(1), toy(1);
  CHECK_FALSE(toy(infinity));
  CHECK(toy.now() == 8);
  toy(1), toy(1);
  CHECK(toy.now() == 8);
  toy(1);
  CHECK(toy.now() == 16);
  CHECK(toy.scale.skipped_in_a_row().value().item<float>() == 0);
}

TEST_CASE("a skipped step changes neither weights nor slots nor the optimizer's counter, bit for bit") {
  for (const bool traced : {true, false}) {
    Toy toy({}, traced);
    toy(0.5), toy(-2);
    auto state = toy.optimizer->state();
    state.push_back(toy.weight);
    const Snapshot before(state);
    for (const float bad : {infinity, -infinity, std::nanf("")}) CHECK_FALSE(toy(bad));
    CHECK(before.changed() == 0);
    CHECK(toy(1));
    CHECK(before.changed() == 4);  // weight, m, v and the counter; not the learning rate
  }
}

TEST_CASE("an overflow at step 0 leaves the counter at 0, so that the first applied step is step 1") {
  Toy skipped({}), clean({});
  CHECK_FALSE(skipped(infinity));
  for (Toy* toy : {&skipped, &clean}) (*toy)(toy->now());  // a gradient of 1 once it is unscaled
  CHECK(skipped.weight.value().to<float>()[1] == clean.weight.value().to<float>()[1]);
}

TEST_CASE("floor and ceiling hold, and the floor lies below 1: overflow at 1 and 0.5 reaches 0.25") {
  Toy down({.initial = 1, .floor = 0.125});
  const auto overflows_above = [](Toy& toy, float most) { return toy(toy.now() > most ? infinity : 1.0F); };
  CHECK_FALSE(overflows_above(down, 0.25F));
  CHECK_FALSE(overflows_above(down, 0.25F));
  CHECK(overflows_above(down, 0.25F));
  CHECK(down.now() == 0.25F);
  for (int i = 0; i < 5; ++i) down(infinity);
  CHECK(down.now() == 0.125F);
  Toy up({.initial = 1, .growth_interval = 1, .ceiling = 8});
  for (int i = 0; i < 9; ++i) up(1);
  CHECK(up.now() == 8);
  CHECK(LossScaleSettings{}.floor < 0.01);
}

TEST_CASE("a scale comes back to where it grew from, exactly, for factors that are no powers of 2") {
  Toy three({.initial = 4, .factor = 3, .growth_interval = 1});
  three(1);
  CHECK(three.now() == 12);
  three(infinity);
  CHECK(three.now() == 4);
  for (int factor = 3; factor < 200; factor += 2) {
    for (const float initial : {1.0F, 5.0F, 1000.0F}) {
      Toy toy({.initial = initial, .factor = static_cast<double>(factor), .growth_interval = 1});
      toy(1), toy(infinity);
      INFO(initial << " times " << factor);
      CHECK(toy.now() == initial);
    }
  }
}

TEST_CASE("a fixed scale stays, and its overflows are skipped all the same") {
  Toy toy({.dynamic = false, .initial = 128, .growth_interval = 1});
  CHECK(toy(256));
  CHECK_FALSE(toy(infinity));
  CHECK(toy.now() == 128);
  CHECK(toy.scale.skipped().value().item<float>() == 1);
}

TEST_CASE("gradients come back unscaled: a factor of the scale cancels exactly") {
  Toy toy({.initial = 65536});
  const auto& results = toy.step({Tensor::from<float>(Shape{2}, {65536 * 0.3F, -65536 * 0.4F})});
  const auto gradient = results[1].to<float>();
  CHECK(gradient[0] == 0.3F);
  CHECK(gradient[1] == -0.4F);
}

TEST_CASE("a gradient below float16's range survives by way of the scale") {
  const Variable w("w", Tensor::from<float>(Shape{1}, {1e-3F}));
  const auto gradient = [&](double factor) {
    const Tensor by = Tensor::scalar(static_cast<float>(factor));
    const auto [value, gradients] = value_and_gradients(
        [&] {
          // d/dw of sum(half(w) * 1e-9) in float16, the loss scaled by `factor`
          const Tensor narrow = cast(w.value(), DType::float16);
          return sum(cast(narrow, DType::float32) * Tensor::scalar(1e-9F)) * by;
        },
        {{w}});
    return gradients[0].item<float>() / static_cast<float>(factor);
  };
  CHECK(gradient(1) == 0);
  CHECK(gradient(65536) == Approx(1e-9).epsilon(0.01));
}

TEST_CASE("settings of a loss scale that cannot work are refused by name") {
  CHECK_THROWS_WITH(LossScale({.initial = 0}), Catch::Contains("above 0"));
  CHECK_THROWS_WITH(LossScale({.initial = std::nan("")}), Catch::Contains("finite"));
  for (const double beyond : {1e300, 1e-60})  // infinity and 0 in float32
    CHECK_THROWS_WITH(LossScale({.dynamic = false, .initial = beyond}), Catch::Contains("2^126"));
  CHECK_THROWS_WITH(LossScale({.factor = 1}), Catch::Contains("factor"));
  // What float32 cannot tell from 1, and what 1 / factor - 1 loses.
  CHECK_THROWS_WITH(LossScale({.factor = 1 + 0x1p-11}), Catch::Contains("2^-10"));
  CHECK_THROWS_WITH(LossScale({.factor = 0x1p21}), Catch::Contains("2^20"));
  CHECK_NOTHROW(LossScale({.factor = 1 + 0x1p-10}));
  CHECK_NOTHROW(LossScale({.factor = 0x1p20}));
  CHECK_THROWS_WITH(LossScale({.growth_interval = (1 << 24) + 1}), Catch::Contains("2^24"));
  CHECK_THROWS_WITH(LossScale({.factor = std::numeric_limits<double>::infinity()}), Catch::Contains("factor"));
  CHECK_THROWS_WITH(LossScale({.floor = 1e-60}), Catch::Contains("floor") && Catch::Contains("1e-60"));
  CHECK_THROWS_WITH(LossScale({.initial = 4, .floor = 8}), Catch::Contains("floor"));
}
