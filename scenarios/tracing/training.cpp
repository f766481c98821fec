// The two ways to train that the claim compares: `fit`, and a loop as one writes it by hand.
#include <algorithm>
#include <cmath>

#include "engine/nn/fit.hpp"
#include "engine/nn/optimizer.hpp"
#include "engine/nn/predict.hpp"
#include "engine/nn/safetensors.hpp"
#include "scenarios/tracing/protocol.hpp"
#include "scenarios/tracing/tracing.hpp"

namespace assay::scenarios::tracing {
namespace {

struct Sets {
  engine::Tensor x, labels, test_x, test_labels;
};

Sets load(const harness::Parameters& parameters) {
  const auto data = engine::mnist::load(parameters.data);
  const auto training = data.training.first(parameters.length("rows"));
  const auto test = data.test.first(parameters.length("test_rows"));
  return {training.flat(), training.labels, test.flat(), test.labels};
}

/// Accuracy and predictions on the test rows, the loss curve, the exact count of updates, the trained weights.
void conclude(const harness::Parameters& parameters, harness::Reporter& report, const engine::Model& model,
              const Sets& sets, const std::vector<double>& losses, std::int64_t steps, std::int64_t steps_expected) {
  const engine::Tensor logits = engine::Predictor(model, 256)(sets.test_x);
  std::vector<std::int32_t> predicted;
  for (std::int64_t row = 0; row < logits.shape()[0]; ++row) {
    const auto values = logits.as<float>().subspan(static_cast<std::size_t>(row) * 10, 10);
    predicted.push_back(static_cast<std::int32_t>(std::ranges::max_element(values) - values.begin()));
  }
  const auto expected = sets.test_labels.to<std::int32_t>();
  double right = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) right += predicted[i] == expected[i] ? 1 : 0;

  report.check("updates as the protocol counts them", std::abs(static_cast<double>(steps - steps_expected)), 0);
  report.check("the loss fell by half or more", losses.back() / losses.front(), 0.5);
  report.value("accuracy", "", "higher", right / static_cast<double>(expected.size()));
  report.value("updates", "", "", static_cast<double>(steps));
  std::vector<double> epochs;
  for (std::size_t i = 0; i < losses.size(); ++i) epochs.push_back(static_cast<double>(i + 1));
  report.series("training loss", {"epoch", "", epochs}, {"mean loss", "", losses});
  report.predictions("test rows", predicted, expected);
  const auto file = parameters.out / "trained.safetensors";
  engine::save_weights(file, model.weights());
  report.artifact("trained", file, "safetensors");
}

}  // namespace

void fit(const harness::Parameters& parameters, harness::Reporter& report) {
  const Sets sets = load(parameters);
  const engine::Model model = load_mlp(parameters);
  const auto optimizer = engine::make_adam(model.weights());
  engine::TrainStep step(model, *optimizer);
  const auto epochs = parameters.length("epochs");
  const auto history = engine::fit(step, model, sets.x, sets.labels,
                                   {.epochs = static_cast<int>(epochs), .batch = batch_rows, .shuffle = false});
  std::vector<double> losses;
  for (const auto& epoch : history.epochs) losses.push_back(epoch.training.loss);
  const auto a_whole_epoch = (parameters.length("rows") + batch_rows - 1) / batch_rows;
  conclude(parameters, report, model, sets, losses, history.steps, epochs * a_whole_epoch);
}

void loop(const harness::Parameters& parameters, harness::Reporter& report) {
  const Sets sets = load(parameters);
  const engine::Model model = load_mlp(parameters);
  const auto optimizer = engine::make_adam(model.weights());
  engine::TrainStep step(model, *optimizer);
  const auto epochs = parameters.length("epochs"), batches = parameters.length("rows") / batch_rows;
  std::vector<double> losses;
  std::int64_t steps = 0;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    double sum = 0;
    for (std::int64_t i = 0; i < batches; ++i, ++steps) {
      const auto begin = i * batch_rows;
      sum += static_cast<double>(
          step(sets.x.rows(begin, begin + batch_rows), sets.labels.rows(begin, begin + batch_rows)).loss);
    }
    losses.push_back(sum / static_cast<double>(batches));
  }
  conclude(parameters, report, model, sets, losses, steps, epochs * batches);
}

}  // namespace assay::scenarios::tracing
