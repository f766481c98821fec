// 16-bit inference: how long a call takes, and whether it answers the same.
#include <cmath>

#include "engine/nn/predict.hpp"
#include "engine/ops/reduction.hpp"
#include "scenarios/plans/describe.hpp"
#include "scenarios/precision/precision.hpp"
#include "scenarios/precision/protocol.hpp"
#include "scenarios/tracing/protocol.hpp"

namespace assay::scenarios::precision {
namespace {

constexpr std::int64_t checked_rows = 16;  // of a batch: the reference kernels would take longer than the calls

}  // namespace

void infer(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto test = engine::mnist::load(parameters.data).test;
  const engine::Tensor x = test.first(tracing::batch_rows).scaled(), few = test.first(checked_rows).scaled();
  const engine::Model model = convnet(parameters.artifact("convnet"), parameters.text("policy"), parameters.seed);
  engine::Tensor expected;
  {
    const engine::SettingsScope oracle(tracing::reference_settings());
    expected = convnet(parameters.artifact("convnet"), "float32", parameters.seed)(few).clone();
  }
  engine::TracedFunction call("call",
                              [&model](std::span<const engine::Tensor> in) { return std::vector{model(in[0])}; });
  const bool exact = parameters.text("policy") == "float32";
  const std::span<const float> outputs = call({x})[0].as<float>();
  const auto found = engine::Tensor::from(expected.shape(), outputs.first(expected.as<float>().size()));
  report.check("the first 16 rows' outputs equal float32's reference kernels'",
               tracing::relative_error(found, expected), exact ? 1e-5 : 0.02);
  if (const auto* plan = call.plan()) {
    report.choose("plan", describe(*plan));
    report_formats(report, *plan, parameters.text("policy"));
  }
  report.choose("call includes",
                "one call on a batch of 128, pixels in float32, the first output read by the caller; weights are kept "
                "in the policy's type");
  float first = 0;
  report.time("call_time", {}, [&] { first += call({x})[0].as<float>()[0]; });
  report.check("timed outputs are finite", std::isfinite(first) ? 0 : 1, 0);
}

void inference(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto test = engine::mnist::load(parameters.data).test.first(parameters.length("test_rows"));
  const engine::Tensor x = test.scaled();
  const auto labels = test.labels.to<std::int32_t>();
  std::vector<std::int32_t> plain;
  nlohmann::json formats = nlohmann::json::object();
  for (const std::string policy : {"float32", "bfloat16", "float16"}) {
    const engine::Model model = convnet(parameters.artifact("trained"), policy, parameters.seed);
    engine::Predictor predict(model, 250);
    const auto predicted = engine::argmax(predict(x)).to<std::int32_t>();
    if (const auto* plan = predict.traced().plan()) formats[policy] = formats_of(*plan).shares;
    if (plain.empty()) plain = predicted;
    double right = 0, changed = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      right += predicted[i] == labels[i] ? 1 : 0;
      changed += predicted[i] != plain[i] ? 1 : 0;
    }
    report.value(policy + "_accuracy", "", "higher", right / static_cast<double>(labels.size()));
    if (policy != "float32") report.value(policy + "_changed_predictions", "rows", "lower", changed);
  }
  report.choose("formats", formats);
  report.value("rows", "rows", "", static_cast<double>(labels.size()));
}

}  // namespace assay::scenarios::precision
