// Training that cannot go on says so: float16 that overflows for ever, data that are not numbers.
#include <cmath>
#include <limits>

#include "engine/nn/fit.hpp"
#include "engine/nn/models.hpp"
#include "engine/ops/unary.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

struct Data {
  Tensor x = Tensor::full(Shape{40, 4}, 1), labels = Tensor::zeros(Shape{40}, DType::int32);
};

}  // namespace

TEST_CASE("float16 that overflows at once and for ever stops after the stated number of skipped steps") {
  Data data;
  for (float& value : data.x.as<float>()) value = 60000;  // float16 can hold it; no product of it
  Model model(Shape{4}, 0);
  model.precision(policy_named("mixed_float16")).dense(8).relu().precision({}).dense(2);
  for (const Variable& weight : model.weights()) {
    if (weight.type().shape.rank() == 2) weight.assign(Tensor::full(weight.type().shape, 100));
  }
  const auto optimizer = make_adam(model.weights());
  LossScale scale({.max_skips = 7});
  TrainStep step(model, *optimizer, &scale);
  const Snapshot before(model.weights());
  int batches = 0;
  const auto train = [&] {
    fit(step, model, data.x, data.labels,
        {.epochs = 10,
         .batch = 10,
         .callbacks = {{.on_batch_end = [&](int, std::int64_t, const TrainStep::Result& result) {
           CHECK_FALSE(result.applied);
           ++batches;
         }}}});
  };
  CHECK_THROWS_WITH(train(), Catch::Contains("7 steps in a row") && Catch::Contains("loss scale of"));
  CHECK(batches == 6);
  CHECK(before.changed() == 0);
  CHECK_THROWS_AS(step(data.x, data.labels), TrainingStuck);
}

TEST_CASE("a NaN or infinity in the data is named by row and batch, before training, shuffled or not") {
  for (const float bad : {std::nanf(""), -std::numeric_limits<float>::infinity()}) {
    Data data;
    data.x.as<float>()[33 * 4 + 2] = bad;
    const Model model = models::mlp({4, 8, 2}, 0);
    const auto optimizer = make_adam(model.weights());
    TrainStep step(model, *optimizer);
    const Snapshot before(model.weights());
    const auto train = [&](bool shuffle) { fit(step, model, data.x, data.labels, {.batch = 10, .shuffle = shuffle}); };
    CHECK_THROWS_WITH(train(false), Catch::Contains("row 33 (value 2)") && Catch::Contains("row 3 of batch 3"));
    CHECK_THROWS_WITH(train(true), Catch::Contains("row 33 (value 2)"));
    CHECK(before.changed() == 0);
  }
}

TEST_CASE("what is not finite is found in features of every type, in validation data and in rows left out") {
  const auto refused = [](DType dtype, std::int64_t row, const FitOptions& options, const char* expected) {
    Data data, wider;
    data.x.as<float>()[static_cast<std::size_t>(row) * 4] = std::numeric_limits<float>::infinity();
    const Model model = models::mlp({4, 8, 2}, 0);
    const auto optimizer = make_adam(model.weights());
    TrainStep step(model, *optimizer);
    FitOptions with = options;
    const bool validates = with.validation_labels.defined();
    if (validates) with.validation_x = data.x;
    CHECK_THROWS_WITH(fit(step, model, cast(validates ? wider.x : data.x, dtype), data.labels, with),
                      Catch::Contains(expected));
  };
  for (const DType dtype : {DType::float64, DType::bfloat16, DType::float16})
    refused(dtype, 12, {.batch = 10, .shuffle = false}, "row 2 of batch 1");
  refused(DType::float32, 37, {.batch = 16, .shuffle = false, .drop_remainder = true}, "leaves out");
  refused(DType::float32, 37, {.batch = 16, .validation_labels = Data().labels}, "validation data: expected finite");
}

TEST_CASE("an epoch whose every step was skipped has no loss, and early stopping does not take it for the best") {
  Data data;
  for (float& value : data.x.as<float>()) value = 60000;
  Model model(Shape{4}, 0);
  model.precision(policy_named("mixed_float16")).dense(8).relu().precision({}).dense(2);
  for (const Variable& weight : model.weights()) {
    if (weight.type().shape.rank() == 2) weight.assign(Tensor::full(weight.type().shape, 100));
  }
  const auto optimizer = make_sgd(model.weights(), 0.1);
  LossScale scale;
  TrainStep step(model, *optimizer, &scale);
  const History history =
      fit(step, model, data.x, data.labels, {.epochs = 5, .batch = 10, .early_stopping = EarlyStopping{.patience = 3}});
  CHECK(history.epochs.size() == 3);
  for (const Epoch& epoch : history.epochs) {
    CHECK(std::isnan(epoch.training.loss));
    CHECK(std::isnan(epoch.training.accuracy));
    CHECK(epoch.training.rows == 0);
  }
}

TEST_CASE("a frozen layer is no overflow: a gradient of zeros is finite") {
  const Data data;
  Model model(Shape{4}, 0);
  model.precision(policy_named("mixed_float16")).dense(8).relu().precision({}).dense(2);
  const auto frozen = model.weights();
  for (const Variable& weight : {frozen[2], frozen[3]})
    weight.assign(Tensor::zeros(weight.type().shape));  // cuts all below off
  const auto optimizer = make_sgd(model.weights(), 0.1);
  LossScale scale;
  TrainStep step(model, *optimizer, &scale);
  CHECK(step(data.x, data.labels).applied);
}

TEST_CASE("under a loss scale skipped steps are counted apart from updates") {
  const Data data;
  Model model(Shape{4}, 0);
  model.precision(policy_named("mixed_float16")).dense(8).relu().precision({}).dense(2);
  const auto optimizer = make_adam(model.weights());
  LossScale scale({.initial = 0x1p24});  // too large for float16: overflows until it has come down
  TrainStep step(model, *optimizer, &scale);
  const History history = fit(step, model, data.x, data.labels, {.epochs = 5, .batch = 10});
  CHECK(history.skipped > 0);
  CHECK(history.steps + history.skipped == 20);
  CHECK(scale.skipped().value().item<float>() == static_cast<float>(history.skipped));
  for (const Variable& variable : optimizer->state()) {
    if (variable.name() == "optimizer/step") CHECK(variable.value().item<std::int64_t>() == history.steps);
  }
}
