#include <cmath>

#include "engine/nn/optimizer.hpp"
#include "scenarios/tracing/protocol.hpp"
#include "scenarios/tracing/tracing.hpp"

namespace assay::scenarios::tracing {

void time_training_steps(const harness::Parameters& parameters, harness::Reporter& report, const engine::Model& model,
                         const Batch& batch, bool traced) {
  const auto& [x, labels] = batch;
  const auto optimizer = engine::make_adam(model.weights());
  engine::TrainStep step(model, *optimizer);
  const engine::Snapshot initial(step.state());

  double expected = 0;
  {
    const engine::SettingsScope oracle(reference_settings());
    expected = static_cast<double>(engine::EvaluateStep(model)(x, labels).loss);
  }
  const auto first = step(x, labels);
  report.check("first loss equals the reference kernels'", relative_error(static_cast<double>(first.loss), expected),
               1e-5);
  traced = traced && engine::settings().controls.on(engine::Control::trace);
  report.check(traced ? "traced once" : "never traced", std::abs(step.traced().traces() - (traced ? 1 : 0)), 0);
  if (const auto* plan = step.traced().plan()) {
    report.choose("plan", describe(*plan));
    report.value("kernels", "kernels", "lower", static_cast<double>(plan->steps.size()));
    report.value("arena_bytes", "B", "lower", static_cast<double>(plan->arena_bytes));
    report.value("trace_time", "ns", "lower", step.traced().last_trace().total());
  }
  report.choose("call includes",
                "forward, loss, correct rows, backward, Adam's update; loss and correct rows read by the caller");

  initial.restore();
  const auto prepared = engine::kernels_prepared();
  double last = 0;
  report.time("step_time",
              {.iterations = parameters.length("steps"),
               .restore =
                   [&] {
                     initial.restore();
                     step.traced().load_variables();
                   }},
              [&] { last = static_cast<double>(step(x, labels).loss); });
  report.check("loss fell over the timed steps", last, expected);
  if (engine::settings().controls.on(engine::Control::cache_primitives)) {
    report.check("no kernel was prepared in a timed step", static_cast<double>(engine::kernels_prepared() - prepared),
                 0);
  }
}

void step(const harness::Parameters& parameters, harness::Reporter& report) {
  time_training_steps(parameters, report, load_mlp(parameters), first_batch(parameters),
                      parameters.text("mode") == "traced");
}

}  // namespace assay::scenarios::tracing
