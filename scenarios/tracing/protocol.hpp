#pragma once
#include <memory>
#include <string>

#include "engine/data/mnist.hpp"
#include "engine/nn/models.hpp"
#include "engine/nn/train_step.hpp"
#include "harness/cases/parameters.hpp"
#include "harness/cases/reporter.hpp"
#include "scenarios/plans/describe.hpp"

/// What the cases of the scenario share: the data and models of the published protocol.
namespace assay::scenarios::tracing {

constexpr std::int64_t batch_rows = 128;

/// MLP 784-128-64-10 with the weights of the artifact.
engine::Model load_mlp(const harness::Parameters& parameters);
/// The serving convnet with the weights of the artifact.
engine::Model load_serving(const harness::Parameters& parameters);

/// Features and labels of a batch: the first rows of the training split, pixels / 255, flat.
struct Batch {
  engine::Tensor x, labels;
};
Batch first_batch(const harness::Parameters& parameters, std::int64_t rows = batch_rows);

/// Times Adam's training steps on one batch as `step_time`, from the model's weights, and checks the first loss against
/// the reference kernels'. `traced`: whether a trace is expected (engine.trace says whether one is made).
void time_training_steps(const harness::Parameters& parameters, harness::Reporter& report, const engine::Model& model,
                         const Batch& batch, bool traced);
/// Times a traced call on `x` as `metric`, divided by `items`, and checks the output against the reference kernels'.
void time_traced_call(harness::Reporter& report, const engine::Model& model, const engine::Tensor& x,
                      const std::string& metric, double items);

/// |a - b| / max(|b|, 1e-30).
double relative_error(double a, double b);
/// The largest |a - b| over the largest |b|; infinite where a value is not finite or the shapes differ.
double relative_error(const engine::Tensor& a, const engine::Tensor& b);

/// This thread's settings with tracing off and the reference back end alone: the oracle.
engine::Settings reference_settings();
/// This thread's settings with tracing off.
engine::Settings eager_settings();

}  // namespace assay::scenarios::tracing
