#include "engine/core/dtype.hpp"
#include "harness/timing/timer.hpp"
#include "scenarios/machine/cases.hpp"
#include "scenarios/machine/held_matmul.hpp"
#include "scenarios/machine/rates.hpp"
#include "scenarios/machine/team.hpp"

namespace assay::scenarios::machine {

void rate(const harness::Parameters& parameters, harness::Reporter& report) {
  HeldMatmul matmul(engine::dtype_from(parameters.text("dtype")), matmul_side, team(parameters), parameters);
  report.choose("matmul", matmul.choice());
  matmul.run();
  if (!report.check("matmul_error", matmul.error(), matmul.error_limit())) return;

  const auto timing = harness::measure({}, parameters.repetitions, [&] { matmul.run(); });
  // an operation a ns is 1e9 of them a second
  report.samples("rate", "GOP/s", "higher", rates(matmul.operations(), timing.samples), timing.warmup);
}

}  // namespace assay::scenarios::machine
