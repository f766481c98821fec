#include "scenarios/precision/precision.hpp"

namespace assay::scenarios {
namespace {

const std::vector<std::string> policies{"float32",      "mixed_bfloat16", "mixed_float16", "float64",
                                        "mixed_float8", "bfloat16",       "float16"};

std::string with(const std::string& name, const std::string& values) { return name + "{" + values + "}"; }

/// Each policy on a training step, with oneDNN's kernels and with Eigen's.
void steps(harness::Scenario& s) {
  s.timed("step", precision::step)
      .parameter("kernels", {"onednn", "eigen"})
      .stands_for("kernels", "eigen", {.off = {"engine.onednn"}, .environment = {}})
      .parameter("policy", policies)
      .metric("step_time", "ns", "lower")
      .exact_metric("arena_bytes", "B", "lower")
      .exact_metric("kernels", "kernels", "lower")
      .needs("convnet", "models.weights")
      .needs("convnet_answers", "models.answers");
  std::vector<std::string> group;
  for (const char* policy : {"float32", "mixed_bfloat16", "mixed_float16", "float64", "mixed_float8"})
    group.push_back(policy == std::string("float32") ? "step" : with("step", std::string("policy=") + policy));
  for (const char* policy : {"float32", "mixed_bfloat16", "mixed_float16"})
    group.push_back(with(
        "step", policy == std::string("float32") ? "kernels=eigen" : std::string("kernels=eigen,policy=") + policy));
  s.group("step", group);
  const auto compare = [&s](const std::string& id, const std::string& policy) {
    s.compare({.id = id, .metric = "step_time", .baseline = "step", .candidate = with("step", "policy=" + policy)});
  };
  compare("mixed_step", "mixed_float16");
  compare("bfloat16_step", "mixed_bfloat16");
  compare("float64_step", "float64");
  compare("float8", "mixed_float8");
  for (const auto& [id, policy] :
       {std::pair{"mixed_step_eigen", "mixed_float16"}, std::pair{"bfloat16_step_eigen", "mixed_bfloat16"}}) {
    s.compare({.id = id,
               .metric = "step_time",
               .baseline = "step{kernels=eigen}",
               .candidate = with("step", std::string("kernels=eigen,policy=") + policy)});
  }
}

void training(harness::Scenario& s) {
  s.trained("seed_weights", precision::seed_weights);
  s.trained("fit", precision::fit)
      .parameter("policy", {"float32", "mixed_bfloat16", "mixed_float16", "float64"})
      .metric("accuracy", "", "higher")
      .exact_metric("updates", "", "")
      .needs("weights", "precision.seed_weights", true);
  s.group("training", {"fit", "fit{policy=mixed_bfloat16}", "fit{policy=mixed_float16}", "fit{policy=float64}"});
  for (const auto& [id, policy] :
       {std::pair{"mixed_accuracy", "mixed_float16"}, std::pair{"bfloat16_accuracy", "mixed_bfloat16"},
        std::pair{"float64_accuracy", "float64"}}) {
    s.compare({.id = id,
               .metric = "accuracy",
               .baseline = "fit",
               .candidate = with("fit", std::string("policy=") + policy),
               .form = "difference",
               .margin = 0.005});
  }
}

void inference(harness::Scenario& s) {
  s.timed("infer", precision::infer)
      .parameter("policy", {"float32", "bfloat16", "float16"})
      .metric("call_time", "ns", "lower")
      .needs("convnet", "models.weights");
  s.group("infer", {"infer", "infer{policy=bfloat16}", "infer{policy=float16}"});
  s.compare({.id = "inference_16", .metric = "call_time", .baseline = "infer", .candidate = "infer{policy=bfloat16}"});
  s.compare(
      {.id = "inference_float16", .metric = "call_time", .baseline = "infer", .candidate = "infer{policy=float16}"});
  s.exact("inference", precision::inference)
      .exact_metric("bfloat16_accuracy", "", "higher")
      .exact_metric("float16_accuracy", "", "higher")
      .needs("trained", "precision.fit");
}

/// A training step of the MLP, one a call or 16 in one call, over batch sizes.
void fusing(harness::Scenario& s) {
  const std::vector<std::string> batches{"8", "32", "128"};
  s.timed("fuse", precision::fuse)
      .parameter("batch", batches)
      .parameter("steps", {"1", "16"})
      .metric("step_time", "ns", "lower")
      .needs("mlp", "models.weights");
  std::vector<std::string> group;
  for (const auto& batch : batches) {
    const bool first = batch == batches[0];
    group.push_back(first ? "fuse" : with("fuse", "batch=" + batch));
    group.push_back(with("fuse", first ? "steps=16" : "batch=" + batch + ",steps=16"));
    s.compare({.id = first ? "fused_steps" : "fused_steps_" + batch,
               .metric = "step_time",
               .baseline = group[group.size() - 2],
               .candidate = group.back()});
  }
  s.group("fuse", group);
}

}  // namespace

harness::Scenario precision_scenario() {
  harness::Scenario s("precision", "Does lower precision pay here, and what does it cost?");
  steps(s);
  training(s);
  inference(s);
  fusing(s);
  s.exact("underflow", precision::underflow).exact_metric("smallest_surviving", "", "lower");
  s.exact("loss_scale", precision::loss_scale)
      .exact_metric("skipped_steps", "steps", "")
      .needs("convnet", "models.weights");
  s.exact("memory", precision::memory)
      .parameter("policy", policies)
      .exact_metric("weight_bytes", "B", "lower")
      .exact_metric("slot_bytes", "B", "lower")
      .exact_metric("activation_bytes", "B", "lower");
  for (const auto& policy : policies) {
    const std::string one = policy == policies[0] ? "memory" : with("memory", "policy=" + policy);
    s.group(one, {one});
  }
  s.exact("sizes", precision::sizes);

  s.ablate("step", "step_time").ablate("step{policy=mixed_bfloat16}", "step_time");
  s.gate("step", "step_time")
      .gate("step{policy=mixed_bfloat16}", "step_time")
      .gate("infer{policy=bfloat16}", "call_time");
  s.gate("fuse", "step_time").gate("fuse{steps=16}", "step_time");
  s.gate_exactly("step{policy=mixed_bfloat16}", "kernels").gate_exactly("step{policy=mixed_bfloat16}", "arena_bytes");
  s.gate_exactly("fit{policy=mixed_bfloat16}", "accuracy").gate_exactly("fit{policy=mixed_float16}", "accuracy");
  s.gate_exactly("underflow", "smallest_surviving").gate_exactly("inference", "bfloat16_accuracy");
  s.length("rows", 6000).length("test_rows", 1500).length("epochs", 3).length("steps", 40);
  s.budget("quick", 100).budget("standard", 240).budget("full", 480);
  return s;
}

}  // namespace assay::scenarios
