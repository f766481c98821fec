#pragma once
#include <functional>
#include <vector>

#include "engine/exec/traced_function.hpp"
#include "engine/nn/model.hpp"

namespace assay::engine {

struct PredictCallback {
  std::function<void()> on_begin{}, on_end{};
  std::function<void(std::int64_t batch)> on_batch_begin{}, on_batch_end{};
};

/// The high-level call, for any number of rows: cuts x into batches, runs the model on each (one traced function for
/// the life of the Predictor), calls the callbacks, and gathers the outputs into one new tensor. Everything of that is
/// paid at every call.
class Predictor {
 public:
  /// The model must outlive the predictor.
  explicit Predictor(const Model& model, std::int64_t batch = 32);

  Tensor operator()(const Tensor& x, std::span<const PredictCallback> callbacks = {});
  const TracedFunction& traced() const { return traced_; }

 private:
  const Model& model_;
  std::int64_t batch_;
  TracedFunction traced_;
};

}  // namespace assay::engine
