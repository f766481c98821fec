// What each policy keeps while it trains.
#include "scenarios/precision/precision.hpp"
#include "scenarios/precision/protocol.hpp"
#include "scenarios/tracing/protocol.hpp"

namespace assay::scenarios::precision {
namespace {

double bytes_of(const std::vector<engine::Variable>& variables) {
  double bytes = 0;
  for (const auto& variable : variables) bytes += static_cast<double>(variable.type().bytes());
  return bytes;
}

}  // namespace

void memory(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto rows = engine::mnist::load(parameters.data).training.first(tracing::batch_rows);
  Training training(engine::models::convnet(parameters.seed, engine::policy_named(parameters.text("policy"))));
  training.step(rows.scaled(), rows.labels);
  const double weights = bytes_of(training.model.weights()), slots = bytes_of(training.optimizer->state());
  report.value("weight_bytes", "B", "lower", weights);
  report.value("slot_bytes", "B", "lower", slots);
  if (training.loss_scale) report.value("loss_scale_bytes", "B", "lower", bytes_of(training.loss_scale->state()));
  const auto* plan = training.step.traced().plan();
  if (plan == nullptr) throw harness::Skipped("engine.trace is off: there is no plan whose memory could be counted");
  // Activations and gradients share the arena; weights cast for a step lie there too.
  report.value("activation_bytes", "B", "lower", static_cast<double>(plan->arena_bytes));
  report.value("workspace_bytes", "B", "lower", static_cast<double>(plan->workspace_bytes));
  report.value("planned_peak_bytes", "B", "lower",
               weights + slots + static_cast<double>(plan->arena_bytes + plan->workspace_bytes));
  report_formats(report, *plan, parameters.text("policy"));
}

}  // namespace assay::scenarios::precision
