#pragma once
#include "engine/exec/traced.hpp"
#include "engine/nn/model.hpp"
#include "engine/nn/optimizer.hpp"

namespace assay::engine {

/// One training step as a function of a batch: forward, softmax cross-entropy, backward and update, recorded as one
/// plan (or run operation by operation with engine.trace off). What a hand-written loop calls.
class TrainStep {
 public:
  /// Model and optimizer must outlive the step.
  TrainStep(const Model& model, Optimizer& optimizer);
  TrainStep(const TrainStep&) = delete;  // the traced function refers to this object
  TrainStep& operator=(const TrainStep&) = delete;

  struct Result {
    float loss = 0;     // mean over the batch, before the update
    float correct = 0;  // rows whose largest logit is the label's
  };
  /// x [rows, input…], labels int32 [rows].
  Result operator()(const Tensor& x, const Tensor& labels);

  /// Everything that a step changes: restore it and the next steps repeat.
  std::vector<Variable> state() const;
  const Traced& traced() const { return traced_; }
  Traced& traced() { return traced_; }

 private:
  const Model& model_;
  Optimizer& optimizer_;
  Tensor one_ = Tensor::scalar(1.0F);
  Traced traced_;
};

/// Loss and correct rows of a batch without an update.
class EvaluateStep {
 public:
  explicit EvaluateStep(const Model& model);
  TrainStep::Result operator()(const Tensor& x, const Tensor& labels);

 private:
  Traced traced_;
};

}  // namespace assay::engine
