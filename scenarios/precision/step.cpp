#include <cmath>

#include "engine/nn/safetensors.hpp"
#include "scenarios/plans/describe.hpp"
#include "scenarios/precision/precision.hpp"
#include "scenarios/precision/protocol.hpp"
#include "scenarios/tracing/protocol.hpp"

namespace assay::scenarios::precision {
namespace {

/// The loss of the first step as models.answers has it, which holds it against the reference kernels once a run: in
/// each process they would take longer than the steps.
double loss_in_float32(const harness::Parameters& parameters) {
  const engine::Variable loss("loss", engine::Tensor::scalar(0.0F));
  engine::load_weights(parameters.artifact("convnet_answers"), {{loss}});
  return static_cast<double>(loss.value().item<float>());
}

/// How far the first loss may lie from float32's: sums in another order, then roundings of 11, 8 and 4 bits.
double loss_limit(const engine::Policy& policy) {
  if (policy.float8) return 0.1;
  if (policy.compute == engine::DType::bfloat16) return 0.01;
  if (policy.compute == engine::DType::float16) return 0.002;
  return 1e-5;
}

}  // namespace

void step(const harness::Parameters& parameters, harness::Reporter& report) {
  const std::string& policy = parameters.text("policy");
  const auto rows = engine::mnist::load(parameters.data).training.first(tracing::batch_rows);
  const engine::Tensor x = rows.scaled();
  Training training(convnet(parameters.artifact("convnet"), policy, parameters.seed));
  auto& [model, optimizer, scale, step] = training;
  const engine::Snapshot initial(step.state());

  const double expected = loss_in_float32(parameters);
  const auto first = step(x, rows.labels);
  report.check("first loss equals that of models.answers in float32",
               tracing::relative_error(static_cast<double>(first.loss), expected),
               loss_limit(engine::policy_named(policy)));
  if (const auto* plan = step.traced().plan()) {
    report.choose("plan", describe(*plan));
    report_formats(report, *plan, policy);
    report.value("kernels", "kernels", "lower", static_cast<double>(plan->steps.size()));
    report.value("arena_bytes", "B", "lower", static_cast<double>(plan->arena_bytes));
  }
  report.choose("call includes",
                std::string("forward, loss, correct rows, backward, Adam's update") +
                    (scale ? ", the loss scaled, gradients unscaled and tested, the scale moved" : "") +
                    "; loss and correct rows read by the caller");

  const auto prepared = engine::kernels_prepared();
  double last = 0, skipped = 0;
  report.time("step_time",
              {.iterations = parameters.length("steps"),
               .restore =
                   [&] {
                     initial.restore();
                     step.traced().load_variables();
                   }},
              [&] {
                const auto result = step(x, rows.labels);
                last = static_cast<double>(result.loss);
                skipped += result.applied ? 0 : 1;
              });
  report.check("loss fell over the timed steps", last, expected);
  if (scale) report.value("skipped_in_timed_steps", "steps", "", skipped);
  if (engine::settings().controls.on(engine::Control::cache_primitives)) {
    report.check("no kernel was prepared in a timed step", static_cast<double>(engine::kernels_prepared() - prepared),
                 0);
  }
}

}  // namespace assay::scenarios::precision
