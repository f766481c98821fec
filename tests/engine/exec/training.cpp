// Whole training steps: eager against traced, passes on and off, and what a replay may cost.
#include <cmath>

#include "engine/autograd/gradients.hpp"
#include "engine/core/random.hpp"
#include "engine/exec/eager.hpp"
#include "engine/nn/models.hpp"
#include "engine/nn/train_step.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/reduction.hpp"
#include "tests/catch.hpp"
#include "tests/engine/allocation_counter.hpp"
#include "tests/engine/distance.hpp"

using namespace assay::engine;
using assay::engine::testing::distance;

namespace {

struct Batch {
  Tensor x, labels;
};

Batch random_batch(const Shape& shape, std::uint64_t stream, float high = 1) {
  Batch batch{Tensor::zeros(shape), Tensor::zeros(Shape{shape[0]}, DType::int32)};
  fill_uniform(batch.x.as<float>(), 11, stream, 0, high);
  std::uint64_t i = 0;
  for (std::int32_t& label : batch.labels.as<std::int32_t>())
    label = static_cast<std::int32_t>(uniform(12, stream, i++) * 10);
  return batch;
}

ControlSet all_off() { return ControlSet::without(std::vector<std::string>{"all"}); }

Model mlp() { return models::mlp({784, 128, 64, 10}, 0); }
Model dropout_mlp() {
  Model model(Shape{784}, 3);
  model.dense(32).relu().dropout(0.3).dense(10);
  return model;
}

enum class Rule { adam, sgd };

struct Run {
  std::vector<float> losses;
  std::vector<std::vector<float>> state;  // floats of everything that a step changes
};

Run train(const std::function<Model()>& make, const Shape& rows, const Settings& with, int steps, Rule rule) {
  const SettingsScope scope(with);
  const Model model = make();
  const auto optimizer =
      rule == Rule::adam ? make_adam(model.weights()) : make_sgd(model.weights(), 0.05, {.momentum = 0.9});
  TrainStep step(model, *optimizer);
  Run run;
  for (int i = 0; i < steps; ++i) {
    const Batch batch = random_batch(rows, static_cast<std::uint64_t>(i));
    run.losses.push_back(step(batch.x, batch.labels).loss);
  }
  for (const Variable& variable : step.state()) {
    if (variable.type().dtype == DType::float32) run.state.push_back(variable.value().to<float>());
  }
  return run;
}

}  // namespace

TEST_CASE("with every pass off a traced step equals an eager one bit for bit: losses, weights, slots") {
  struct Case {
    std::string name;
    std::function<Model()> model;
    Shape rows;
  };
  const std::vector<Case> cases = {{"mlp", mlp, {32, 784}},
                                   {"dropout", dropout_mlp, {32, 784}},
                                   {"convnet", [] { return models::convnet(0); }, {8, 28, 28, 1}}};
  for (const Case& test : cases) {
    for (const int threads : {1, 2}) {
      INFO(test.name << ", " << threads << " threads");
      // engine.trace is the one control that differs; all others are off on both sides.
      std::vector<std::string> off;
      for (const ControlInfo& row : control_table()) {
        if (row.control != Control::trace) off.emplace_back(row.name);
      }
      const Run recorded = train(test.model, test.rows, {threads, ControlSet::without(off)}, 4, Rule::adam);
      const Run eager = train(test.model, test.rows, {threads, all_off()}, 4, Rule::adam);
      CHECK(recorded.losses == eager.losses);
      CHECK(recorded.state == eager.state);
    }
  }
}

TEST_CASE(
    "with passes on the loss and the updated state agree to 1e-6 after one step, the loss to 1e-4 after 20 of SGD") {
  const Settings eager{2, ControlSet{}.without(Control::trace)};
  for (const auto& [model, rows] : std::vector<std::pair<std::function<Model()>, Shape>>{
           {mlp, {128, 784}}, {[] { return models::convnet(0); }, {8, 28, 28, 1}}}) {
    const Run one = train(model, rows, {2, {}}, 1, Rule::sgd);
    const Run one_eager = train(model, rows, eager, 1, Rule::sgd);
    CHECK(one.losses[0] == Approx(one_eager.losses[0]).epsilon(1e-6));
    for (std::size_t i = 0; i < one.state.size(); ++i) CHECK(distance(one.state[i], one_eager.state[i]) < 1e-6);
    const Run many = train(model, rows, {2, {}}, 20, Rule::sgd);
    const Run many_eager = train(model, rows, eager, 20, Rule::sgd);
    CHECK(many.losses.back() == Approx(many_eager.losses.back()).epsilon(1e-4));
    CHECK(many.losses.back() != many.losses.front());
  }
}

TEST_CASE("the first call, which traces, gives what the second and an eager one give") {
  const Batch batch = random_batch({32, 784}, 5);
  const auto losses = [&](const Settings& with) {
    const SettingsScope scope(with);
    const Model model = mlp();
    const auto optimizer = make_sgd(model.weights(), 0.0);  // no learning, so that calls can be compared
    TrainStep step(model, *optimizer);
    return std::vector<float>{step(batch.x, batch.labels).loss, step(batch.x, batch.labels).loss};
  };
  const auto traced = losses({2, {}});
  const auto eager = losses({2, ControlSet{}.without(Control::trace)});
  CHECK(traced[0] == traced[1]);
  CHECK(traced[0] == Approx(eager[0]).epsilon(1e-6));
}

TEST_CASE("the same seed and thread count give bit-identical losses and weights") {
  const Settings with{2, {}};
  const Run first = train(mlp, {128, 784}, with, 5, Rule::adam);
  const Run second = train(mlp, {128, 784}, with, 5, Rule::adam);
  CHECK(first.losses == second.losses);
  CHECK(first.state == second.state);
}

TEST_CASE("a replay allocates nothing and prepares no kernel") {
  for (const bool prepack : {true, false}) {
    const SettingsScope scope({2, prepack ? ControlSet{} : ControlSet{}.without(Control::prepack)});
    for (const auto& [model, rows] : std::vector<std::pair<std::function<Model()>, Shape>>{
             {mlp, {128, 784}}, {dropout_mlp, {16, 784}}, {[] { return models::convnet(0); }, {8, 28, 28, 1}}}) {
      const Model net = model();
      const auto optimizer = make_adam(net.weights());
      TrainStep step(net, *optimizer);
      const Batch batch = random_batch(rows, 1);
      step(batch.x, batch.labels);
      step(batch.x, batch.labels);
      const std::uint64_t kernels = kernels_prepared();
      const StorageAllocations storage = storage_allocations();
      const auto allocations = testing::count_allocations([&] {
        for (int i = 0; i < 3; ++i) step(batch.x, batch.labels);
      });
      CHECK(allocations.ours == 0);
      CHECK(kernels_prepared() == kernels);
      CHECK((storage_allocations() == storage));
    }
  }
}

TEST_CASE("packed weights: read outside, changed outside, and shared with another plan between steps") {
  const SettingsScope scope({2, {}});
  const Model model = mlp();
  const auto optimizer = make_sgd(model.weights(), 0.1);
  TrainStep step(model, *optimizer);
  EvaluateStep evaluate(model);
  const Batch batch = random_batch({64, 784}, 2);
  const Snapshot start(step.state());
  std::vector<float> losses;
  for (int i = 0; i < 3; ++i) {
    const float expected = evaluate(batch.x, batch.labels).loss;  // another plan, another layout, before each update
    losses.push_back(step(batch.x, batch.labels).loss);
    CHECK(losses.back() == Approx(expected).epsilon(1e-6));
  }
  CHECK(losses[2] < losses[0]);
  start.restore();
  CHECK(step(batch.x, batch.labels).loss == losses[0]);
  const Variable kernel = model.weights()[0];
  const Tensor zero = Tensor::zeros(kernel.type().shape);
  for (const Variable& weight : model.weights()) weight.assign(Tensor::zeros(weight.type().shape));
  CHECK(step(batch.x, batch.labels).loss == Approx(std::log(10.0)).epsilon(1e-6));  // all classes alike
  CHECK(kernel.value().to<float>() == zero.to<float>());  // no gradient reaches it: everything behind it is 0
}

TEST_CASE(
    "a traced step's dropout draws a new mask at every call; with the key put back it repeats, and equals eager") {
  const Batch batch = random_batch({32, 784}, 4);
  const auto losses = [&](const Settings& with) {
    const SettingsScope scope(with);
    const Model model = dropout_mlp();
    const auto optimizer = make_sgd(model.weights(), 0.0);
    TrainStep step(model, *optimizer);
    const Snapshot start(step.state());
    std::vector<float> all;
    for (int i = 0; i < 3; ++i) all.push_back(step(batch.x, batch.labels).loss);
    start.restore();
    all.push_back(step(batch.x, batch.labels).loss);
    return all;
  };
  const ControlSet plain = ControlSet{}.without(Control::prepack);
  const auto traced = losses({2, plain});
  const auto eager = losses({2, plain.without(Control::trace)});
  CHECK(traced[0] != traced[1]);
  CHECK(traced[1] != traced[2]);
  CHECK(traced[3] == traced[0]);
  CHECK(traced == eager);
}

TEST_CASE("training and evaluation are functions of their own: evaluation leaves dropout out") {
  const SettingsScope scope({1, {}});
  const Model model = dropout_mlp();
  Model without(Shape{784}, 3);  // the same but for dropout
  without.dense(32).relu().dense(10);
  const auto weights = model.weights(), same = without.weights();
  REQUIRE(weights.size() == same.size());
  for (std::size_t i = 0; i < weights.size(); ++i) Variable(same[i]).assign(weights[i].value());
  const Batch batch = random_batch({16, 784}, 4);
  const float expected = EvaluateStep(without)(batch.x, batch.labels).loss;
  EvaluateStep evaluate(model);
  CHECK(evaluate(batch.x, batch.labels).loss == expected);
  CHECK(evaluate(batch.x, batch.labels).loss == expected);
  const auto optimizer = make_sgd(model.weights(), 0.0);
  CHECK(TrainStep(model, *optimizer)(batch.x, batch.labels).loss != expected);  // training does drop
}
