// The published training: 3 epochs of `fit` under each policy from equal initial weights, and what comes of it.
#include <cmath>

#include "engine/nn/fit.hpp"
#include "engine/nn/predict.hpp"
#include "engine/nn/safetensors.hpp"
#include "engine/ops/reduction.hpp"
#include "scenarios/precision/precision.hpp"
#include "scenarios/precision/protocol.hpp"
#include "scenarios/tracing/protocol.hpp"

namespace assay::scenarios::precision {

void seed_weights(const harness::Parameters& parameters, harness::Reporter& report) {
  const engine::Model model = engine::models::convnet(parameters.seed);
  const auto file = parameters.out / "weights.safetensors";
  engine::save_weights(file, model.weights());
  report.artifact("weights", file, "safetensors");
}

void fit(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto data = engine::mnist::load(parameters.data);
  const auto rows = data.training.first(parameters.length("rows"));
  const auto test = data.test.first(parameters.length("test_rows"));
  const auto epochs = parameters.length("epochs");
  Training training(convnet(parameters.artifact("weights"), parameters.text("policy"), parameters.seed));
  const auto history =
      engine::fit(training.step, training.model, rows.scaled(), rows.labels,
                  {.epochs = static_cast<int>(epochs), .batch = tracing::batch_rows, .seed = parameters.seed});

  const engine::Tensor logits = engine::Predictor(training.model, 250)(test.scaled());
  const auto predicted = engine::argmax(logits).to<std::int32_t>();
  const auto expected = test.labels.to<std::int32_t>();
  double right = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) right += predicted[i] == expected[i] ? 1 : 0;
  const auto steps = epochs * ((rows.rows() + tracing::batch_rows - 1) / tracing::batch_rows);
  report.check("steps as the protocol counts them",
               std::abs(static_cast<double>(history.steps + history.skipped - steps)), 0);
  report.check("the loss fell by half or more",
               history.epochs.back().training.loss / history.epochs.front().training.loss, 0.5);
  if (const auto* plan = training.step.traced().plan()) report_formats(report, *plan, parameters.text("policy"));
  report.value("accuracy", "", "higher", right / static_cast<double>(expected.size()));
  report.value("updates", "", "", static_cast<double>(history.steps));
  report.value("skipped_steps", "steps", "", static_cast<double>(history.skipped));
  std::vector<double> numbers, losses;
  for (const auto& epoch : history.epochs) {
    numbers.push_back(epoch.number + 1);
    losses.push_back(epoch.training.loss);
  }
  report.series("training loss", {"epoch", "", numbers}, {"mean loss", "", losses});
  report.predictions("test rows", predicted, expected);
  if (parameters.text("policy") == "float32") {
    const auto file = parameters.out / "trained.safetensors";
    engine::save_weights(file, training.model.weights());
    report.artifact("trained", file, "safetensors");
  }
}

}  // namespace assay::scenarios::precision
