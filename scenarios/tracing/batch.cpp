#include <cmath>

#include "engine/exec/traced_function.hpp"
#include "scenarios/tracing/protocol.hpp"
#include "scenarios/tracing/tracing.hpp"

namespace assay::scenarios::tracing {

void time_traced_call(harness::Reporter& report, const engine::Model& model, const engine::Tensor& x,
                      const std::string& metric, double items) {
  engine::Tensor expected;
  {
    const engine::SettingsScope oracle(reference_settings());
    expected = model(x).clone();
  }
  engine::TracedFunction traced("serving call", [&model](std::span<const engine::Tensor> in) {
    return std::vector<engine::Tensor>{model(in[0])};
  });
  report.check("output equals the reference kernels'", relative_error(traced({x})[0], expected), 1e-5);
  if (const auto* plan = traced.plan()) report.choose("plan", describe(*plan));
  report.choose("call includes", std::string("one call on the whole batch, the first output read by the caller") +
                                     (items > 1 ? "; the time is divided by the rows" : ""));

  float first = 0;
  report.time(metric, {.items_per_call = items}, [&] { first += traced({x})[0].as<float>()[0]; });
  report.check("timed outputs are finite", std::isfinite(first) ? 0 : 1, 0);
}

void batch(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto rows = parameters.integer("batch");
  time_traced_call(report, load_serving(parameters), engine::mnist::load(parameters.data).test.first(rows).pixels,
                   "sample_time", static_cast<double>(rows));
}

}  // namespace assay::scenarios::tracing
