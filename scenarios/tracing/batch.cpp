#include <cmath>

#include "engine/exec/traced.hpp"
#include "scenarios/tracing/protocol.hpp"
#include "scenarios/tracing/tracing.hpp"

namespace assay::scenarios::tracing {

void batch(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto rows = parameters.integer("batch");
  const engine::Tensor x = engine::mnist::load(parameters.data).test.first(rows).pixels;
  const engine::Model model = load_serving(parameters);
  engine::Tensor expected;
  {
    const engine::SettingsScope oracle(reference_settings());
    expected = model(x).clone();
  }
  engine::Traced traced("serving call", [&model](std::span<const engine::Tensor> in) {
    return std::vector<engine::Tensor>{model(in[0])};
  });
  report.check("output equals the reference kernels'", relative_error(traced({x})[0], expected), 1e-5);
  if (const auto* plan = traced.plan()) report.choose("plan", describe(*plan));
  report.choose("call includes",
                "one call on the whole batch, the first output read by the caller; the time is divided by the rows");

  float first = 0;
  report.time("sample_time", {.items_per_call = static_cast<double>(rows)},
              [&] { first += traced({x})[0].as<float>()[0]; });
  report.check("timed outputs are finite", std::isfinite(first) ? 0 : 1, 0);
}

}  // namespace assay::scenarios::tracing
