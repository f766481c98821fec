#include "engine/nn/train_step.hpp"

#include "engine/autograd/tape.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/unary.hpp"

namespace assay::engine {
namespace {

Tensor correct_rows(const Tensor& logits, const Tensor& labels) { return sum(equal(argmax(logits), labels)); }

}  // namespace

TrainStep::TrainStep(const Model& model, Optimizer& optimizer)
    : model_(model), optimizer_(optimizer), traced_("training step", [this](std::span<const Tensor> batch) {
        const auto weights = model_.weights();
        Tensor logits;
        const auto [loss, gradients] = value_and_gradients(
            [&] {
              logits = model_.logits(batch[0], Mode::training);
              return mean(softmax_cross_entropy(logits, batch[1]));
            },
            weights);
        const Tensor correct = correct_rows(logits, batch[1]);
        optimizer_.update(gradients, one_);
        return std::vector<Tensor>{loss, correct};
      }) {}

TrainStep::Result TrainStep::operator()(const Tensor& x, const Tensor& labels) {
  const auto& results = traced_({x, labels});
  return {results[0].item<float>(), results[1].item<float>()};
}

std::vector<Variable> TrainStep::state() const {
  auto all = model_.state();
  for (auto& variable : optimizer_.state()) all.push_back(std::move(variable));
  return all;
}

EvaluateStep::EvaluateStep(const Model& model)
    : traced_("evaluation step", [&model](std::span<const Tensor> batch) {
        const Tensor logits = model.logits(batch[0], Mode::evaluation);
        return std::vector<Tensor>{mean(softmax_cross_entropy(logits, batch[1])), correct_rows(logits, batch[1])};
      }) {}

TrainStep::Result EvaluateStep::operator()(const Tensor& x, const Tensor& labels) {
  const auto& results = traced_({x, labels});
  return {results[0].item<float>(), results[1].item<float>()};
}

}  // namespace assay::engine
