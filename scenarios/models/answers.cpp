// Writes what every program must answer. Peers compare themselves with these files.
#include <algorithm>

#include "engine/autograd/gradients.hpp"
#include "engine/nn/safetensors.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/reduction.hpp"
#include "scenarios/models/load.hpp"
#include "scenarios/models/models.hpp"

namespace assay::scenarios::models {
namespace {

constexpr int sgd_steps = 20;
constexpr double sgd_rate = 0.1;

engine::ValueAndGradients loss_and_gradients(const engine::Model& model, const tracing::Batch& batch) {
  return engine::value_and_gradients(
      [&] { return mean(softmax_cross_entropy(model.logits(batch.x, engine::Mode::training), batch.labels)); },
      model.weights());
}

/// Loss and gradients of the first step, and losses and weights of 20 steps of plain SGD.
void training_answers(const harness::Parameters& parameters, harness::Reporter& report, const std::string& name) {
  const engine::Model model = load(parameters, name);
  const auto batch = first_batch(parameters, name);
  const auto weights = model.weights();
  const auto ours = loss_and_gradients(model, batch);
  engine::ValueAndGradients oracle;
  {
    const engine::SettingsScope reference(tracing::reference_settings());
    oracle = loss_and_gradients(model, batch);
  }
  double worst = tracing::relative_error(ours.value, oracle.value);
  std::vector<engine::Variable> answers{{"loss", ours.value.clone()}};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    worst = std::max(worst, tracing::relative_error(ours.gradients[i], oracle.gradients[i]));
    answers.emplace_back("gradient/" + weights[i].name(), ours.gradients[i].clone());
  }
  report.check(name + ": loss and gradients equal the reference kernels'", worst, 1e-5);

  const auto sgd = engine::make_sgd(weights, sgd_rate);
  engine::TrainStep step(model, *sgd);
  const engine::Tensor losses = engine::Tensor::empty({engine::DType::float32, engine::Shape{sgd_steps}, {}});
  for (float& loss : losses.as<float>()) loss = step(batch.x, batch.labels).loss;
  answers.emplace_back("sgd/losses", losses);
  for (const auto& weight : weights) answers.emplace_back("sgd/" + weight.name(), weight.value().clone());

  const auto file = parameters.out / (name + "_answers.safetensors");
  engine::save_weights(file, answers);
  report.artifact(name + "_answers", file, "safetensors");
}

/// What the serving convnet answers to the first 128 test rows.
void serving_answers(const harness::Parameters& parameters, harness::Reporter& report) {
  const engine::Tensor x = calling_rows(parameters, tracing::batch_rows);
  const engine::Model model = load(parameters, "serving");
  const engine::Tensor ours = model(x).clone();
  {
    const engine::SettingsScope reference(tracing::reference_settings());
    report.check("serving: outputs equal the reference kernels'", tracing::relative_error(ours, model(x)), 1e-5);
  }
  const auto file = parameters.out / "serving_answers.safetensors";
  engine::save_weights(file, std::vector<engine::Variable>{{"outputs", ours}});
  report.artifact("serving_answers", file, "safetensors");
}

}  // namespace

void answers(const harness::Parameters& parameters, harness::Reporter& report) {
  for (const std::string name : {"mlp", "convnet"}) training_answers(parameters, report, name);
  serving_answers(parameters, report);
}

}  // namespace assay::scenarios::models
