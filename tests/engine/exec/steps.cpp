// Step fusing: as many steps in one call of the plan, bit for bit what single calls give.
#include "engine/core/random.hpp"
#include "engine/nn/fit.hpp"
#include "engine/nn/models.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

struct Rows {
  Tensor x, labels;
  explicit Rows(std::int64_t count)
      : x(Tensor::zeros(Shape{count, 12})), labels(Tensor::zeros(Shape{count}, DType::int32)) {
    fill_uniform(x.as<float>(), 1, 1);
    for (std::int64_t i = 0; i < count; ++i)
      labels.as<std::int32_t>()[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i % 4);
  }
};

struct Outcome {
  std::vector<float> losses;
  std::vector<std::int64_t> batches;
  double loss = 0, accuracy = 0;
  std::vector<std::vector<float>> weights;
  std::uint64_t replays = 0;

  bool operator==(const Outcome& other) const {
    return losses == other.losses && batches == other.batches && loss == other.loss && accuracy == other.accuracy &&
           weights == other.weights;
  }
};

/// Two epochs of `fit`, shuffled, dropout inside, with `k` steps a call.
Outcome trained(const Rows& rows, std::int64_t k, const ControlSet& controls, const char* policy = "float32") {
  const SettingsScope scope({2, controls});
  Model model(Shape{12}, 0);
  model.precision(policy_named(policy)).dense(16).relu().dropout(0.2).precision({}).dense(4);
  const auto optimizer = make_adam(model.weights());
  LossScale scale;
  TrainStep step(model, *optimizer, model.scales_loss() ? &scale : nullptr);
  Outcome outcome;
  const Callback note{.on_batch_end = [&](int, std::int64_t batch, const TrainStep::Result& result) {
    outcome.losses.push_back(result.loss);
    outcome.batches.push_back(batch);
  }};
  const History history =
      fit(step, model, rows.x, rows.labels, {.epochs = 2, .batch = 8, .callbacks = {note}, .steps_per_call = k});
  outcome.loss = history.epochs.back().training.loss;
  outcome.accuracy = history.epochs.back().training.accuracy;
  for (const Variable& weight : step.state()) {
    if (weight.type().dtype == DType::float32) outcome.weights.push_back(weight.value().to<float>());
  }
  outcome.replays = step.traced().replays();
  return outcome;
}

}  // namespace

TEST_CASE("fused steps equal single ones bit for bit: losses, metrics, weights, slots, random state, callbacks") {
  for (const std::int64_t count : {80, 77}) {  // 10 whole batches; 9 and a short one
    const Rows rows(count);
    for (const ControlSet& controls : {ControlSet{}, ControlSet{}.without(Control::trace)}) {
      for (const char* policy : {"float32", "mixed_float16"}) {
        const Outcome expected = trained(rows, 1, controls, policy);
        CHECK(expected.batches.size() == 20);
        for (const std::int64_t k : {4, 7, 16, 1000}) {
          INFO(count << " rows, " << k << " steps a call, " << policy);
          CHECK((trained(rows, k, controls, policy) == expected));
        }
      }
    }
  }
}

TEST_CASE("a call of several steps is one look-up: steps are counted, and traced once") {
  const SettingsScope scope({1, {}});
  const Model model = models::mlp({12, 8, 4}, 0);
  const auto optimizer = make_sgd(model.weights(), 0.1);
  TrainStep step(model, *optimizer);
  const Rows rows(24);
  Batches batches(rows.x, rows.labels, 8);
  step(batches.at(0).x, batches.at(0).labels);
  const auto staged = batches.staged(0, 3);
  CHECK(step.steps(staged.x, staged.labels).size() == 3);
  CHECK(step.traced().traces() == 1);
  CHECK(step.traced().replays() == 4);
}

TEST_CASE("stacked arguments that differ, and batches that are not there, are refused") {
  const Model model = models::mlp({12, 8, 4}, 0);
  const auto optimizer = make_sgd(model.weights(), 0.1);
  TrainStep step(model, *optimizer);
  CHECK_THROWS_WITH(step.steps(Tensor::zeros(Shape{3, 8, 12}), Tensor::zeros(Shape{2, 8}, DType::int32)),
                    Catch::Contains("one length"));
  CHECK_THROWS_AS(step.steps(Tensor::zeros(Shape{0, 8, 12}), Tensor::zeros(Shape{0, 8}, DType::int32)),
                  std::invalid_argument);
  const Rows rows(20);
  Batches batches(rows.x, rows.labels, 8);
  CHECK_THROWS_AS(batches.staged(1, 2), std::out_of_range);
  CHECK_THROWS_WITH(fit(step, model, rows.x, rows.labels, {.batch = 8, .steps_per_call = 0}),
                    Catch::Contains("steps a call"));
}
