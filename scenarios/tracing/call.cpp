#include <cmath>
#include <functional>
#include <map>

#include "engine/nn/predict.hpp"
#include "scenarios/tracing/protocol.hpp"
#include "scenarios/tracing/tracing.hpp"

namespace assay::scenarios::tracing {
namespace {

const std::map<std::string, std::string> included{
    {"traced", "a replay of the plan on one row; the first output read by the caller"},
    {"eager",
     "every operation looked up, its output allocated and run, on one row; the first output read by the caller"},
    {"predict",
     "a loop over batches (one of one row, copied), callbacks at begin, end and around the batch, a replay of the "
     "plan, "
     "outputs gathered into a new tensor; the first output read by the caller. No data pipeline and no progress "
     "display is built"}};

}  // namespace

void call(const harness::Parameters& parameters, harness::Reporter& report) {
  const std::string& way = parameters.text("way");
  const engine::Tensor x = first_batch(parameters, 1).x;
  const engine::Model model = load_mlp(parameters);
  engine::Tensor expected;
  {
    const engine::SettingsScope oracle(reference_settings());
    expected = model(x).clone();
  }

  engine::TracedFunction traced(
      "call", [&model](std::span<const engine::Tensor> in) { return std::vector<engine::Tensor>{model(in[0])}; });
  engine::Predictor predictor(model);
  std::int64_t called_back = 0;
  const engine::PredictCallback callback{[&] { ++called_back; }, [&] { ++called_back; },
                                         [&](std::int64_t) { ++called_back; }, [&](std::int64_t) { ++called_back; }};
  const std::function<engine::Tensor()> ways[] = {[&] { return traced({x})[0]; },
                                                  [&] {
                                                    return predictor(x, {&callback, 1});
                                                  }};
  const auto& one = ways[way == "predict" ? 1 : 0];

  report.check("output equals the reference kernels'", relative_error(one(), expected), 1e-5);
  const int traces = traced.traces() + predictor.traced().traces();
  const bool tracing = engine::settings().controls.on(engine::Control::trace);
  report.check(tracing ? "traced once" : "never traced", std::abs(traces - (tracing ? 1 : 0)), 0);
  if (way == "predict") report.check("four callbacks a call", std::abs(static_cast<double>(called_back - 4)), 0);
  if (const auto* plan = (way == "predict" ? predictor.traced() : traced).plan())
    report.choose("plan", describe(*plan));
  report.choose("call includes", included.at(way));

  float first = 0;
  report.time("call_time", {}, [&] { first += one().as<float>()[0]; });
  report.check("timed outputs are finite", std::isfinite(first) ? 0 : 1, 0);
}

}  // namespace assay::scenarios::tracing
