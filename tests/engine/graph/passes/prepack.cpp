// Control engine.prepack: which weights are packed, and that off is off.
#include "engine/controls/library.hpp"
#include "engine/exec/traced_function.hpp"
#include "engine/nn/models.hpp"
#include "engine/nn/train_step.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/matmul.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/unary.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

bool uses(const Plan& plan, Op op) { return std::ranges::find(plan.steps, op, &Step::op) != plan.steps.end(); }

/// The plan of one training step of an MLP.
struct Trained {
  Model model = models::mlp({784, 128, 64, 10}, 0);
  std::unique_ptr<Optimizer> optimizer = make_adam(model.weights());
  TrainStep step{model, *optimizer};
  Trained() { step(Tensor::full(Shape{128, 784}, 0.5), Tensor::zeros(Shape{128}, DType::int32)); }
  const Plan& plan() const { return *step.traced().plan(); }
};

}  // namespace

TEST_CASE("a dense training step lowers to inner products on packed weights and reorders nothing in a step") {
  if (!onednn_present()) SKIP("this build has no oneDNN");
  const SettingsScope scope({2, {}});
  const Trained trained;
  CHECK(trained.plan().changes(Control::prepack) == 3);
  CHECK(uses(trained.plan(), Op::inner_product));
  CHECK(uses(trained.plan(), Op::inner_product_data));
  CHECK(uses(trained.plan(), Op::inner_product_weights));
  CHECK_FALSE(uses(trained.plan(), Op::matmul));
  CHECK_FALSE(uses(trained.plan(), Op::reorder));
}

TEST_CASE("with engine.prepack off nothing is packed or lowered, with oneDNN off there is nothing to pack") {
  for (const Control off : {Control::prepack, Control::onednn}) {
    const SettingsScope scope({2, ControlSet{}.without(off)});
    const Trained trained;
    CHECK(trained.plan().changes(Control::prepack) == 0);
    for (const PlannedState& state : trained.plan().states) CHECK_FALSE(state.packed());
    CHECK(uses(trained.plan(), Op::matmul));
    CHECK_FALSE(uses(trained.plan(), Op::inner_product));
  }
}

TEST_CASE("a weight with a second use stays plain, and the answer is the same") {
  const Variable w("w", Tensor::full(Shape{64, 32}, 0.01));
  const auto used_once = [&](std::span<const Tensor> in) { return std::vector<Tensor>{sum(matmul(in[0], w.value()))}; };
  const auto penalised = [&](std::span<const Tensor> in) {
    return std::vector<Tensor>{sum(matmul(in[0], w.value())) + sum(square(w.value()))};
  };
  const Tensor x = Tensor::full(Shape{16, 64}, 1);
  TracedFunction f("penalised", penalised);
  CHECK(f({x})[0].item<float>() == Approx(16 * 32 * 64 * 0.01 + 64 * 32 * 0.0001).epsilon(1e-5));
  CHECK(f.plan()->changes(Control::prepack) == 0);
  TracedFunction once("used once", used_once);
  CHECK(once({x})[0].item<float>() == Approx(16 * 32 * 64 * 0.01).epsilon(1e-5));
  CHECK(once.plan()->changes(Control::prepack) == (onednn_present() ? 1 : 0));
}

TEST_CASE("inference packs the weights of convolutions and of dense layers once, outputs agree with the eager ones") {
  const Model model = models::serving_convnet(0);
  const auto predict = [&](std::span<const Tensor> in) { return std::vector<Tensor>{model(in[0])}; };
  Tensor x = Tensor::zeros(Shape{4, 28, 28, 1});
  for (std::size_t i = 0; i < x.as<float>().size(); ++i) x.as<float>()[i] = static_cast<float>(i * 37 % 256);
  const auto expected = predict(std::vector{x})[0].to<float>();
  TracedFunction f("predict", predict);
  for (int call = 0; call < 2; ++call) {
    const auto found = f({x})[0].to<float>();
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-4).margin(1e-7));
  }
  // Two convolutions and two dense layers with oneDNN; Eigen packs nothing.
  CHECK(f.plan()->changes(Control::prepack) == (onednn_present() ? 4 : 0));
}
