// Policies: the types that layers compute in and keep, per layer, and what training under each comes to.
#include "engine/precision/policy.hpp"

#include <cmath>

#include "engine/controls/library.hpp"
#include "engine/core/random.hpp"
#include "engine/nn/fit.hpp"
#include "engine/nn/models.hpp"
#include "engine/ops/layers.hpp"
#include "tests/catch.hpp"
#include "tests/engine/kernels/processor.hpp"

using namespace assay::engine;
using assay::engine::testing::processor_has;

namespace {

struct Batch {
  Tensor x = Tensor::zeros(Shape{16, 28, 28, 1}), labels = Tensor::zeros(Shape{16}, DType::int32);
  Batch() {
    fill_uniform(x.as<float>(), 3, 1);
    for (std::size_t i = 0; i < 16; ++i) labels.as<std::int32_t>()[i] = static_cast<std::int32_t>(i % 10);
  }
};

/// Operations of a plan by the type that they compute in.
bool has(const Plan& plan, Op op, DType dtype) {
  return std::ranges::any_of(plan.steps, [&](const Step& step) {
    return step.op == op &&
           std::ranges::any_of(step.prepared.out, [&](const TensorType& type) { return type.dtype == dtype; });
  });
}

struct Training {
  Model model;
  std::unique_ptr<Optimizer> optimizer = make_adam(model.weights());
  LossScale scale{};
  TrainStep step{model, *optimizer, model.scales_loss() ? &scale : nullptr};
};

}  // namespace

TEST_CASE("the seven policies are found by name, and an unknown one is named with them") {
  for (const char* name :
       {"float32", "float64", "bfloat16", "float16", "mixed_bfloat16", "mixed_float16", "mixed_float8"})
    CHECK(policy_named(name).name == name);
  CHECK(policies().size() == 7);
  CHECK_THROWS_WITH(policy_named("mixed_float7"), Catch::Contains("mixed_float7") && Catch::Contains("mixed_float8"));
  for (const Policy& policy : policies()) {
    const bool mixed = policy.name.substr(0, 5) == "mixed";
    CHECK(policy.variables == (mixed ? DType::float32 : policy.compute));
    CHECK(policy.scales_loss == (policy.compute == DType::float16));
  }
}

TEST_CASE("variables are float32 under a mixed policy, the compute type under a pure one, and the last layer's own") {
  const auto kernel = [](const char* policy, std::size_t i) {
    return models::convnet(0, policy_named(policy)).weights()[i].type().dtype;
  };
  CHECK(kernel("mixed_bfloat16", 0) == DType::float32);
  CHECK(kernel("bfloat16", 0) == DType::bfloat16);
  CHECK(kernel("bfloat16", 6) == DType::float32);
  CHECK(kernel("float64", 6) == DType::float64);
  for (const Policy& policy : policies()) {
    for (const Variable& slot : make_adam(models::convnet(0, policy).weights())->state()) {
      INFO(policy.name << " " << slot.name());
      CHECK_FALSE(is_narrow(slot.type().dtype));  // epsilon and small second moments would be 0 in 16 bits
    }
  }
}

TEST_CASE("a layer's own policy overrides the model's") {
  Model model(Shape{8}, 0);
  model.precision(policy_named("bfloat16")).dense(4).precision(policy_named("float64")).dense(4);
  model.precision(policy_named("float16")).dense(2);
  const auto weights = model.weights();
  CHECK(weights[0].type().dtype == DType::bfloat16);
  CHECK(weights[2].type().dtype == DType::float64);
  CHECK(weights[4].type().dtype == DType::float16);
  CHECK(model(Tensor::zeros(Shape{3, 8})).dtype() == DType::float16);
}

TEST_CASE("under every policy the first loss is near float32's and falls, traced and eager alike") {
  const Batch batch;
  const auto losses = [&](const Policy& policy, const Settings& settings) {
    const SettingsScope scope(settings);
    Training training{models::convnet(0, policy)};
    std::vector<float> found;
    for (int i = 0; i < 20; ++i) {
      const auto result = training.step(batch.x, batch.labels);
      CHECK(result.applied);
      found.push_back(result.loss);
    }
    return found;
  };
  const Settings traced{2, {}}, eager{2, ControlSet{}.without(Control::trace)},
      plain{2, ControlSet{}.without(Control::onednn)};
  const auto expected = losses(policy_named("float32"), traced);
  for (const Policy& policy : policies()) {
    const double near = policy.float8 ? 0.05 : policy.compute == DType::bfloat16 ? 0.01 : 0.002;
    for (const Settings& settings : {traced, eager, plain}) {
      INFO(policy.name);
      const auto found = losses(policy, settings);
      CHECK(found.front() == Approx(expected.front()).epsilon(near));
      CHECK(found.back() < 0.7 * found.front());
    }
  }
}

TEST_CASE("logits are float64 under float64, and float32 under a mixed policy whose last layer is") {
  const Batch batch;
  const SettingsScope scope({1, {}, &reference_backend()});
  const auto logits = [&](const char* policy) {
    const Model model = models::convnet(0, policy_named(policy));
    return model.logits(batch.x).dtype();
  };
  CHECK(logits("float64") == DType::float64);
  CHECK(logits("mixed_bfloat16") == DType::float32);
}

TEST_CASE(
    "mixed steps trace with their casts: weights are cast once a step, bias and ReLU stay fused, masks are 16-bit") {
  const Batch batch;
  const SettingsScope scope({2, {}});
  Training training{models::convnet(0, policy_named("mixed_bfloat16"))};
  training.step(batch.x, batch.labels);
  const Plan& plan = *training.step.traced().plan();
  CHECK(has(plan, Op::cast, DType::bfloat16));
  CHECK(plan.changes(Control::fuse_casts) == 6);  // of three layers' weights and biases
  const bool native = std::ranges::none_of(
      plan.steps, [](const Step& step) { return step.op == Op::matmul && step.prepared.info.emulated; });
  if (onednn_present() && processor_has(DType::bfloat16) == true) REQUIRE(native);
  if (!native) SKIP("no bfloat16 products here: the processor or this build has none");
  CHECK(plan.changes(Control::fuse_epilogue) == 10);
  CHECK_FALSE(
      std::ranges::any_of(plan.steps, [](const Step& step) { return step.op == Op::add_bias || step.op == Op::relu; }));
  const auto casts = std::ranges::count_if(plan.steps, [](const Step& step) {
    return step.op == Op::cast && step.prepared.out[0].dtype == DType::bfloat16;
  });
  CHECK(casts <= 7);  // three kernels, three biases, and the batch where it is not part of a slice
}

TEST_CASE("with engine.fuse_casts off gradients are rounded to 16 bits and widened, and nothing else changes") {
  const Batch batch;
  const auto run = [&](const ControlSet& controls) {
    const SettingsScope scope({2, controls});
    Training training{models::convnet(0, policy_named("mixed_bfloat16"))};
    const auto loss = training.step(batch.x, batch.labels).loss;
    return std::pair{loss, training.step.traced().plan()->changes(Control::fuse_casts)};
  };
  const auto [with, fused] = run({});
  const auto [without, none] = run(ControlSet{}.without(Control::fuse_casts));
  CHECK(fused > 0);
  CHECK(none == 0);
  CHECK(with == Approx(without).epsilon(1e-3));
}

TEST_CASE("a loss from large narrow logits is finite, for it is computed in float32") {
  Model model(Shape{2}, 0);
  model.precision(policy_named("float16")).dense(3);
  const std::vector<Variable> weights = model.weights();
  weights[1].assign(Tensor::from<Float16>(Shape{3}, {to_float16(20000), to_float16(0), to_float16(-20000)}));
  const auto optimizer = make_sgd(weights, 0.1);
  TrainStep step(model, *optimizer);
  const Tensor x = Tensor::zeros(Shape{2, 2}), labels = Tensor::from<std::int32_t>(Shape{2}, {0, 2});
  const auto result = step(x, labels);
  CHECK(result.loss == Approx((0 + 40000) / 2.0).epsilon(1e-3));
  for (const Float16 bias : weights[1].value().as<Float16>()) CHECK(std::isfinite(to_float(bias)));
}

TEST_CASE("accuracy and loss of rows do not depend on the type that they are averaged in") {
  // float16 sums of 4096 correct rows would stick at 2048.
  Model model(Shape{1}, 0);
  model.precision(policy_named("float16")).dense(2);
  const auto weights = model.weights();
  weights[0].assign(Tensor::from<Float16>(Shape{1, 2}, {to_float16(1), to_float16(-1)}));
  const Tensor x = Tensor::full(Shape{4096, 1}, 1), labels = Tensor::zeros(Shape{4096}, DType::int32);
  const Metrics metrics = evaluate(model, x, labels, 4096);
  CHECK(metrics.accuracy == 1);
  CHECK(metrics.loss == Approx(std::log(1 + std::exp(-2))).epsilon(1e-4));
}

TEST_CASE("a model takes the weights of another, rounded, and refuses those of other shapes") {
  const Model plain = models::convnet(1), narrow = models::convnet(2, policy_named("bfloat16"));
  narrow.take_weights(plain);
  const auto rounded = narrow.weights()[0].value().as<BFloat16>();
  const auto exact = plain.weights()[0].value().as<float>();
  for (std::size_t i = 0; i < exact.size(); ++i) CHECK(rounded[i] == to_bfloat16(exact[i]));
  CHECK_THROWS_WITH(narrow.take_weights(models::mlp({4, 2}, 0)), Catch::Contains("names and shapes"));
}
