#pragma once
#include <functional>

#include "engine/exec/traced_function.hpp"
#include "engine/nn/model.hpp"
#include "engine/nn/optimizer.hpp"
#include "engine/precision/loss_scale.hpp"

namespace assay::engine {

/// One training step as a function of a batch: forward, softmax cross-entropy, backward and update, recorded as one
/// plan (or run operation by operation with engine.trace off). What a hand-written loop calls.
class TrainStep {
 public:
  /// Model, optimizer and loss scale must outlive the step. With a loss scale a step whose gradients are not finite is
  /// skipped: it changes neither weights nor slots, and says so.
  TrainStep(const Model& model, Optimizer& optimizer, LossScale* loss_scale = nullptr);
  TrainStep(const TrainStep&) = delete;  // the traced function refers to this object
  TrainStep& operator=(const TrainStep&) = delete;

  struct Result {
    float loss = 0;       // mean over the batch, before the update
    float correct = 0;    // rows whose largest logit is the label's
    bool applied = true;  // false: the step was skipped
  };
  /// x [rows, input…], labels int32 [rows].
  /// Throws TrainingStuck, with the scale and the count, when as many steps in a row as the loss scale allows were
  /// skipped.
  Result operator()(const Tensor& x, const Tensor& labels);
  /// As many steps in one call of the plan as x [steps, rows, input…] and labels [steps, rows] hold: one result a step.
  /// Each is told as it would have come from a single call: where that would throw, this throws after those before it
  /// (and after the whole call has run).
  using Told = std::function<void(std::size_t step, const Result&)>;
  std::vector<Result> steps(const Tensor& x, const Tensor& labels, const Told& told = {});
  const LossScale* loss_scale() const { return loss_scale_; }

  /// Everything that a step changes: restore it and the next steps repeat.
  std::vector<Variable> state() const;
  const TracedFunction& traced() const { return traced_; }
  TracedFunction& traced() { return traced_; }

 private:
  std::vector<Tensor> record(std::span<const Tensor> batch);
  /// The result of step `step` of a call.
  Result result_of(std::span<const Tensor> results, std::size_t step) const;

  const Model& model_;
  Optimizer& optimizer_;
  LossScale* loss_scale_;
  Tensor one_ = Tensor::scalar(1.0F);
  TracedFunction traced_;
};

/// Loss and correct rows of a batch without an update.
class EvaluateStep {
 public:
  explicit EvaluateStep(const Model& model);
  TrainStep::Result operator()(const Tensor& x, const Tensor& labels);

 private:
  TracedFunction traced_;
};

}  // namespace assay::engine
