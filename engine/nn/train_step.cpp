#include "engine/nn/train_step.hpp"

#include <sstream>

#include "engine/autograd/gradients.hpp"
#include "engine/ops/arithmetic.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/unary.hpp"

namespace assay::engine {
namespace {

Tensor correct_rows(const Tensor& logits, const Tensor& labels) { return sum(equal(argmax(logits), labels)); }

/// A loss is never computed in a type below float32: exp() of its logits would overflow or lose the small ones.
Tensor wide(const Tensor& logits) { return is_narrow(logits.dtype()) ? cast(logits, DType::float32) : logits; }

}  // namespace

TrainStep::TrainStep(const Model& model, Optimizer& optimizer, LossScale* loss_scale)
    : model_(model),
      optimizer_(optimizer),
      loss_scale_(loss_scale),
      traced_("training step", [this](std::span<const Tensor> batch) { return record(batch); }) {}

std::vector<Tensor> TrainStep::record(std::span<const Tensor> batch) {
  const auto weights = model_.weights();
  const auto float8 = model_.float8_gradients();
  auto variables = weights;  // and what observes gradients of float8: its own gradient is the amax of them
  for (const Float8Tensor* tensor : float8) variables.push_back(tensor->amax());
  Tensor logits, loss;
  const auto [scaled, all] = value_and_gradients(
      [&] {
        logits = wide(model_.logits(batch[0], Mode::training));
        loss = mean(softmax_cross_entropy(logits, batch[1]));
        return loss_scale_ != nullptr ? loss_scale_->scaled(loss) : loss;
      },
      variables);
  for (std::size_t i = 0; i < float8.size(); ++i) float8[i]->observe(all[weights.size() + i]);
  const std::span gradients(all.data(), weights.size());
  std::vector<Tensor> results{cast(loss, DType::float32), correct_rows(logits, batch[1])};
  if (loss_scale_ == nullptr) {
    optimizer_.update(gradients, one_);
    return results;
  }
  const auto unscaled = loss_scale_->unscaled(gradients);
  optimizer_.update(unscaled.gradients, unscaled.finite);
  loss_scale_->advance(unscaled.finite);
  results.push_back(loss_scale_->skipped_in_a_row().value());
  results.push_back(loss_scale_->scale().value());  // of this step: a call of several ends with another one
  return results;
}

TrainStep::Result TrainStep::operator()(const Tensor& x, const Tensor& labels) {
  return result_of(traced_({x, labels}), 0);
}

std::vector<TrainStep::Result> TrainStep::steps(const Tensor& x, const Tensor& labels, const Told& told) {
  const Tensor staged[] = {x, labels};
  const auto& stacked = traced_.run_steps(staged);
  std::vector<Result> results;
  for (std::size_t i = 0; i < static_cast<std::size_t>(x.shape()[0]); ++i) {
    results.push_back(result_of(stacked, i));
    if (told) told(i, results.back());
  }
  return results;
}

TrainStep::Result TrainStep::result_of(std::span<const Tensor> results, std::size_t step) const {
  Result result{results[0].as<float>()[step], results[1].as<float>()[step], true};
  if (loss_scale_ == nullptr) return result;
  const auto skipped = static_cast<std::int64_t>(results[2].as<float>()[step]);
  result.applied = skipped == 0;
  if (skipped >= loss_scale_->settings().max_skips) {
    std::ostringstream scale;  // small ones in digits that count, not as 0.000001
    scale << results[3].as<float>()[step];
    throw TrainingStuck("training: gradients were not finite in " + std::to_string(skipped) +
                        " steps in a row, down to a loss scale of " + scale.str() +
                        ": the values themselves overflow, or the data are not finite. None of these steps updated "
                        "anything; use float32 or mixed_bfloat16, or a smaller learning rate");
  }
  return result;
}

std::vector<Variable> TrainStep::state() const {
  auto all = model_.state();
  for (auto& variable : optimizer_.state()) all.push_back(std::move(variable));
  if (loss_scale_ != nullptr) {
    for (auto& variable : loss_scale_->state()) all.push_back(std::move(variable));
  }
  return all;
}

EvaluateStep::EvaluateStep(const Model& model)
    : traced_("evaluation step", [&model](std::span<const Tensor> batch) {
        const Tensor logits = wide(model.logits(batch[0], Mode::evaluation));
        const Tensor loss = mean(softmax_cross_entropy(logits, batch[1]));
        return std::vector<Tensor>{cast(loss, DType::float32), correct_rows(logits, batch[1])};
      }) {}

TrainStep::Result EvaluateStep::operator()(const Tensor& x, const Tensor& labels) {
  const auto& results = traced_({x, labels});
  return {results[0].item<float>(), results[1].item<float>(), true};
}

}  // namespace assay::engine
