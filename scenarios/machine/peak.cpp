#include <cmath>

#include "engine/core/threads.hpp"
#include "harness/machine/topology.hpp"
#include "harness/stats/median.hpp"
#include "harness/timing/timer.hpp"
#include "scenarios/machine/cases.hpp"
#include "scenarios/machine/clock.hpp"
#include "scenarios/machine/held_matmul.hpp"
#include "scenarios/machine/multiply_add.hpp"
#include "scenarios/machine/rates.hpp"
#include "scenarios/machine/team.hpp"
#include "scenarios/machine/vector.hpp"

namespace assay::scenarios::machine {
namespace {

constexpr std::int64_t chain_steps = 1 << 20;  // about 0.4 ms of additions
constexpr std::int64_t loop_steps = 1 << 18;   // about 0.6 ms of multiply-adds
constexpr float factor = 0.999F, addend = 1;   // converges to 1000: no overflow, no denormals
constexpr double assumed_units = 2;

// siblings of one core share its arithmetic: the cores that the team can fill
int cores_of(int threads) {
  const auto found = harness::topology();
  const int siblings = std::max(found.threads_per_core, 1);
  return std::min(threads, std::max(1, static_cast<int>(harness::allowed_cpus().size()) / siblings));
}

harness::Timing timed(const harness::Parameters& parameters, int threads, void (*work)(int part)) {
  return harness::measure({}, parameters.repetitions, parameters.budget / 4,
                          [&] { engine::parallel_parts(threads, [work](int part) { work(part); }); });
}

// results go where the compiler cannot see that nobody reads them
volatile std::uint64_t chain_sink;
volatile float loop_sink;

void report_match(const harness::Parameters& parameters, harness::Reporter& report, int threads, double peak) {
  try {
    HeldMatmul matmul(engine::DType::float32, matmul_side, threads, parameters);
    const auto timing = harness::measure({}, parameters.repetitions, parameters.budget / 4, [&] { matmul.run(); });
    report.choose("matmul", matmul.choice());
    report.value("matmul_share", "", "higher", matmul.operations() / harness::median(timing.samples) / peak);
  } catch (const harness::Skipped& reason) {
    report.choose("matmul", {{"kernel", nullptr}, {"reason", reason.what()}});
  }
}

}  // namespace

void peak(const harness::Parameters& parameters, harness::Reporter& report) {
  const int threads = team(parameters);
  const int cores = cores_of(threads);
  report.choose("peak", {{"vector_bytes", vector_bytes},
                         {"fused", multiply_add_is_fused()},
                         {"cores", cores},
                         {"assumed_units", assumed_units},
                         {"assumption",
                          "theoretical_peak = clock x lanes x 2 x assumed_units x cores; the clock is that of "
                          "scalar additions, which wide vectors may lower"}});

  const double expected = multiply_add_closed_form(loop_steps, factor, addend);
  report.check("multiply_add_error", std::fabs(multiply_add(loop_steps, factor, addend) / expected - 1), 1e-3);

  const auto chain = timed(parameters, threads, [](int) { chain_sink = add_chain(chain_steps, 0, chain_sink | 1); });
  const auto clock = rates(static_cast<double>(chain_steps), chain.samples);
  report.samples("clock", "GHz", "", clock, chain.warmup);

  const auto loop = timed(parameters, threads, [](int) { loop_sink = multiply_add(loop_steps, factor, addend); });
  const auto rate = rates(multiply_add_flops(loop_steps) * threads, loop.samples);
  report.samples("multiply_add_rate", "GFLOP/s", "higher", rate, loop.warmup);

  const double one_unit = harness::median(clock) * static_cast<double>(lanes) * 2 * cores;
  report.value("multiply_add_units", "", "", harness::median(rate) / one_unit);
  report.value("theoretical_peak", "GFLOP/s", "", one_unit * assumed_units);
  report_match(parameters, report, threads, one_unit * assumed_units);
}

}  // namespace assay::scenarios::machine
