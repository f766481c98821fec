#include "scenarios/models/models.hpp"

namespace assay::scenarios {

harness::Scenario models_scenario() {
  harness::Scenario s("models", "How fast are a training step and an inference call, beside other frameworks?");

  s.exact("weights", models::weights);
  s.exact("threads", models::threads).needs("serving", "models.weights");
  s.exact("answers", models::answers)
      .needs("mlp", "models.weights")
      .needs("convnet", "models.weights")
      .needs("serving", "models.weights");
  s.timed("step", models::step)
      .parameter("model", {"mlp", "convnet"})
      .metric("step_time", "ns", "lower")
      .exact_metric("kernels", "kernels", "lower")
      .exact_metric("arena_bytes", "B", "lower")
      .needs("mlp", "models.weights")
      .needs("convnet", "models.weights");
  s.timed("call", models::call)
      .parameter("batch", models::batches)
      .metric("call_time", "ns", "lower")
      .needs("serving", "models.weights")
      .needs("threads", "models.threads");

  s.group("step", {"step", "step{model=convnet}"});
  s.group("call", {"call", "call{batch=2}", "call{batch=8}", "call{batch=32}", "call{batch=128}"});
  s.gate("step{model=convnet}", "step_time");  // scenario tracing gates the rest
  s.gate_exactly("step{model=convnet}", "kernels").gate_exactly("step{model=convnet}", "arena_bytes");
  s.length("steps", 40);
  s.budget("quick", 45).budget("standard", 90).budget("full", 180);
  return s;
}

}  // namespace assay::scenarios
