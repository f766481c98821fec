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
  std::vector<std::string> state;  // the bytes of weights, slots, counters, random state and loss scale
  std::int64_t skipped = 0;
  std::uint64_t replays = 0;

  bool operator==(const Outcome& other) const {
    return losses == other.losses && batches == other.batches && loss == other.loss && accuracy == other.accuracy &&
           state == other.state && skipped == other.skipped;
  }
};

std::string bytes(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data()), tensor.type().bytes()};
}

/// Two epochs of `fit`, shuffled, dropout inside, with `k` steps a call. Under float16 the loss scale is too large at
/// first, so that steps are skipped.
Outcome trained(const Rows& rows, std::int64_t k, const ControlSet& controls, const char* policy = "float32") {
  const SettingsScope scope({2, controls});
  Model model(Shape{12}, 0);
  model.precision(policy_named(policy)).dense(16).relu().dropout(0.2).precision({}).dense(4);
  const auto optimizer = make_adam(model.weights());
  LossScale scale({.initial = 0x1p24, .growth_interval = 3});
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
  outcome.skipped = history.skipped;
  for (const Variable& variable : step.state()) outcome.state.push_back(bytes(variable.value()));
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
        CHECK((expected.skipped > 1) == (policy == std::string("mixed_float16")));
        for (const std::int64_t k : {4, 7, 16, 1000}) {
          INFO(count << " rows, " << k << " steps a call, " << policy);
          CHECK((trained(rows, k, controls, policy) == expected));
        }
      }
    }
  }
}

TEST_CASE("a callback that saves weights finds those of its batch, however many steps a call takes") {
  const Rows rows(80);
  const auto saved = [&](std::int64_t k, std::int64_t every) {
    const Model model = models::mlp({12, 8, 4}, 0);
    const auto optimizer = make_adam(model.weights());
    TrainStep step(model, *optimizer);
    std::vector<std::pair<std::int64_t, std::string>> found;
    const Callback save{.on_batch_end =
                            [&](int, std::int64_t batch, const TrainStep::Result&) {
                              if ((batch + 1) % 3 == 0) found.emplace_back(batch, bytes(model.weights()[0].value()));
                            },
                        .state_every = every};
    fit(step, model, rows.x, rows.labels, {.epochs = 2, .batch = 8, .callbacks = {save}, .steps_per_call = k});
    return found;
  };
  const auto expected = saved(1, 0);
  CHECK(expected.size() == 6);  // batches 2, 5 and 8 of each epoch
  for (const std::int64_t k : {1, 4, 16}) CHECK((saved(k, 3) == expected));
  CHECK_FALSE((saved(16, 0) == expected));  // what a call of ten steps would have saved
}

TEST_CASE("training that sticks within a call has told of the steps before, as single calls would") {
  Rows rows(80);
  for (std::size_t i = 8 * 8 * 12; i < 80 * 12; ++i) rows.x.as<float>()[i] = 60000;  // the last two batches overflow
  const auto trained = [&](std::int64_t k) {
    Model model(Shape{12}, 0);
    model.precision(policy_named("mixed_float16")).dense(8).relu().precision({}).dense(4);
    for (const Variable& weight : model.weights())
      if (weight.type().shape == Shape{12, 8}) weight.assign(Tensor::full(Shape{12, 8}, 1));
    const auto optimizer = make_sgd(model.weights(), 1e-6);
    LossScale scale({.max_skips = 2});
    TrainStep step(model, *optimizer, &scale);
    std::vector<float> losses;
    const Callback note{
        .on_batch_end = [&](int, std::int64_t, const TrainStep::Result& result) { losses.push_back(result.loss); }};
    std::string error;
    try {
      fit(step, model, rows.x, rows.labels, {.batch = 8, .shuffle = false, .callbacks = {note}, .steps_per_call = k});
    } catch (const TrainingStuck& stuck) {
      error = stuck.what();
    }
    // The ninth's loss is no number, and equal to nothing.
    CHECK(losses.size() == 9);
    losses.resize(8);
    return std::pair{losses, error};
  };
  const auto expected = trained(1);
  CHECK(expected.second.find("2 steps in a row, down to a loss scale of 8192") != std::string::npos);
  for (const std::int64_t k : {4, 10}) CHECK((trained(k) == expected));
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
