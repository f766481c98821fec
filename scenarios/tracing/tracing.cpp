#include "scenarios/tracing/tracing.hpp"

namespace assay::scenarios {

harness::Scenario tracing_scenario() {
  harness::Scenario s("tracing", "What does leaving tracing off cost, and does it matter how a model is called?");

  s.exact("weights", tracing::weights).parameter("model", {"mlp", "serving"});
  s.trained("seed_weights", tracing::weights).parameter("model", {"mlp"});

  s.timed("step", tracing::step)
      .parameter("mode", {"traced", "eager"})
      .stands_for("mode", "eager", {.off = {"engine.trace"}, .environment = {}})
      .metric("step_time", "ns", "lower")
      .exact_metric("kernels", "kernels", "lower")
      .exact_metric("arena_bytes", "B", "lower")
      .needs("weights", "tracing.weights");
  s.timed("call", tracing::call)
      .parameter("way", {"traced", "eager", "predict"})
      .stands_for("way", "eager", {.off = {"engine.trace"}, .environment = {}})
      .metric("call_time", "ns", "lower")
      .needs("weights", "tracing.weights");
  s.timed("batch", tracing::batch)
      .parameter("batch", {"1", "2", "8", "32", "128"})
      .metric("sample_time", "ns", "lower")
      .needs("weights", "tracing.weights{model=serving}");

  s.trained("fit", tracing::fit)
      .metric("accuracy", "", "higher")
      .exact_metric("updates", "", "")
      .needs("weights", "tracing.seed_weights", true);
  s.trained("loop", tracing::loop).metric("accuracy", "", "higher").needs("weights", "tracing.seed_weights", true);

  s.exact("metric_average", tracing::metric_average)
      .exact_metric("batch_mean_error", "", "lower")
      .needs("trained", "tracing.fit");
  s.exact("trace_cost", tracing::trace_cost)
      .metric("break_even_calls", "calls", "lower")
      .exact_metric("eager_operations_a_step", "", "lower")
      .exact_metric("traces_of_ten_numbers", "", "lower")
      .needs("weights", "tracing.weights");

  s.group("step", {"step", "step{mode=eager}"});
  s.group("call", {"call", "call{way=eager}", "call{way=predict}"});
  s.group("batch", {"batch", "batch{batch=2}", "batch{batch=8}", "batch{batch=32}", "batch{batch=128}"});
  s.group("training", {"fit", "loop"});

  s.compare({.id = "eager_step", .metric = "step_time", .baseline = "step", .candidate = "step{mode=eager}"});
  s.compare({.id = "call_cost", .metric = "call_time", .baseline = "call", .candidate = "call{way=predict}"});
  s.compare({.id = "eager_call", .metric = "call_time", .baseline = "call", .candidate = "call{way=eager}"});
  for (const char* size : {"2", "8", "32"}) {
    s.compare({.id = std::string("batch_") + size,
               .metric = "sample_time",
               .baseline = "batch",
               .candidate = std::string("batch{batch=") + size + "}"});
  }
  s.compare(
      {.id = "batch_amortisation", .metric = "sample_time", .baseline = "batch", .candidate = "batch{batch=128}"});
  s.compare({.id = "loop_equivalence",
             .metric = "accuracy",
             .baseline = "fit",
             .candidate = "loop",
             .form = "difference",
             .margin = 0.005});

  for (const auto& [configuration, metric] :
       {std::pair{"step", "step_time"}, {"call", "call_time"}, {"batch{batch=128}", "sample_time"}})
    s.ablate(configuration, metric, "engine.");
  s.gate("step", "step_time").gate("step{mode=eager}", "step_time");
  s.gate("call", "call_time").gate("call{way=eager}", "call_time").gate("call{way=predict}", "call_time");
  for (const char* size : {"1", "2", "8", "32", "128"}) s.gate(std::string("batch{batch=") + size + "}", "sample_time");
  s.gate_exactly("step", "kernels").gate_exactly("step", "arena_bytes");
  s.gate_exactly("fit", "accuracy").gate_exactly("fit", "updates");
  s.gate_exactly("trace_cost", "eager_operations_a_step").gate_exactly("trace_cost", "traces_of_ten_numbers");

  // Section 2 of the published study is at full length in every profile: it takes seconds.
  s.length("rows", 8000).length("test_rows", 2000).length("epochs", 6).length("steps", 60);
  s.budget("quick", 35).budget("standard", 90).budget("full", 180);
  return s;
}

}  // namespace assay::scenarios
