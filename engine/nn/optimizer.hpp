#pragma once
#include <memory>
#include <vector>

#include "engine/ops/update.hpp"

namespace assay::engine {

/// Changes weights by their gradients. Learning rate, step counter and slots are variables, so that a traced step reads
/// and moves them instead of baking them in.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// One update; `switched` (float32 scalar) 0 skips it and leaves weights, slots and counter as they are.
  virtual void update(std::span<const Tensor> gradients, const Tensor& switched) = 0;
  /// Everything that an update changes or reads besides the weights.
  virtual std::vector<Variable> state() const = 0;
  const Variable& learning_rate() const { return learning_rate_; }

 protected:
  explicit Optimizer(double learning_rate)
      : learning_rate_("optimizer/learning_rate", Tensor::scalar(static_cast<float>(learning_rate))) {}

 private:
  Variable learning_rate_;
};

std::unique_ptr<Optimizer> make_sgd(const std::vector<Variable>& weights, double learning_rate,
                                    const SgdSettings& settings = {});
/// Keras's Adam: epsilon is added to the root of the uncorrected second moment.
std::unique_ptr<Optimizer> make_adam(const std::vector<Variable>& weights, double learning_rate = 1e-3,
                                     const AdamSettings& settings = {});

}  // namespace assay::engine
