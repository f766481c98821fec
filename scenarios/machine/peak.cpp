#include <cmath>
#include <optional>

#include "engine/core/threads.hpp"
#include "harness/machine/affinity.hpp"
#include "harness/machine/topology.hpp"
#include "harness/stats/median.hpp"
#include "harness/text/format_number.hpp"
#include "scenarios/machine/cases.hpp"
#include "scenarios/machine/clock.hpp"
#include "scenarios/machine/held_matmul.hpp"
#include "scenarios/machine/limits.hpp"
#include "scenarios/machine/multiply_add.hpp"
#include "scenarios/machine/rates.hpp"
#include "scenarios/machine/team.hpp"
#include "scenarios/machine/turns.hpp"
#include "scenarios/machine/vector.hpp"

namespace assay::scenarios::machine {
namespace {

constexpr std::int64_t chain_steps = 1 << 20;  // about 0.4 ms of additions
constexpr std::int64_t loop_steps = 1 << 18;   // about 0.6 ms of multiply-adds
// A scheduler lets a process run for a few ms at a time: turns of 1 ms fit in between what else runs, and 64 of them
// last long enough that some do.
constexpr int turns = 64, matmul_turns = 3;   // a product takes 10 to 30 ms
constexpr float factor = 0.999F, addend = 1;  // converges to 1000: no overflow, no denormals

// siblings of one core share its arithmetic: the cores that the team can fill
int cores_of(int threads) {
  const auto found = harness::topology();
  const int siblings = std::max(found.threads_per_core, 1);
  return std::min(threads, std::max(1, static_cast<int>(harness::allowed_cpus().size()) / siblings));
}

// results go where the compiler cannot see that nobody reads them
volatile std::uint64_t chain_sink;
volatile float loop_sink;

std::function<void()> on_all(int threads, void (*work)(int part)) {
  return [threads, work] { engine::parallel_parts(threads, [work](int part) { work(part); }); };
}

/// The product whose share of the peak is wanted; none where no kernel computes natively.
std::optional<HeldMatmul> held_product(const harness::Parameters& parameters, harness::Reporter& report, int threads) {
  try {
    std::optional<HeldMatmul> matmul(std::in_place, engine::DType::float32, matmul_side, threads, parameters);
    report.choose("matmul", matmul->choice());
    return matmul;
  } catch (const harness::Skipped& reason) {
    report.choose("matmul", {{"kernel", nullptr}, {"reason", reason.what()}});
    return std::nullopt;
  }
}

PeakSamples sampled(const harness::Parameters& parameters, int threads, std::optional<HeldMatmul>& matmul) {
  const std::vector<std::function<void()>> short_works{
      on_all(threads, [](int) { chain_sink = add_chain(chain_steps, 0, chain_sink | 1); }),
      on_all(threads, [](int) { loop_sink = multiply_add(loop_steps, factor, addend); })};
  for (const auto& work : short_works) work();
  if (matmul) matmul->run();
  PeakSamples samples;
  for (int repetition = 0; repetition < parameters.repetitions; ++repetition) {
    const auto times = shortest_in_turns(short_works, turns);
    samples.clock.push_back(static_cast<double>(chain_steps) / times[0]);
    samples.multiply_add.push_back(multiply_add_flops(loop_steps) * threads / times[1]);
    if (matmul)
      samples.matmul.push_back(matmul->operations() / shortest_in_turns({[&] { matmul->run(); }}, matmul_turns)[0]);
  }
  return samples;
}

/// Throws where a core seems to have more multiply-add units than any CPU, or a product to be faster than the loop:
/// then other work took the processor away while the clock or the loop was measured, and no number is worth printing.
void refuse_impossible(const PeakLimits& limits, const PeakSamples& samples, harness::Reporter& report) {
  constexpr int units = max_units(vector_bytes);
  const bool clock = report.check("multiply_add_units", limits.multiply_add_units, units * (1 + tolerance));
  const bool product = report.check("matmul_share", limits.matmul_share, 1 + tolerance);
  if (clock && product) return;
  using harness::format_number;
  const std::string found =
      clock ? "a matrix product at " + format_number(limits.matmul_share) +
                  " of the multiply-add rate, expected at most 1"
            : format_number(limits.multiply_add_units) + " multiply-add units a core at a clock of " +
                  format_number(harness::median(samples.clock)) + " GHz, expected at most " + format_number(units);
  throw std::runtime_error("impossible: " + found +
                           " (and 5 % for a clock that moves); other work took the processor away while the clock or "
                           "the loop was measured: end it, then run again");
}

}  // namespace

void peak(const harness::Parameters& parameters, harness::Reporter& report) {
  const int threads = team(parameters);
  const int cores = cores_of(threads);
  report.choose("peak", {{"vector_bytes", vector_bytes},
                         {"fused", multiply_add_is_fused()},
                         {"cores", cores},
                         {"multiply_add_units",
                          "multiply_add_rate / (clock x lanes x 2 x cores); the clock is that of scalar additions, "
                          "which wide vectors may lower"},
                         {"matmul_share", "rate of the product / multiply_add_rate"}});

  const double expected = multiply_add_closed_form(loop_steps, factor, addend);
  report.check("multiply_add_error", std::fabs(multiply_add(loop_steps, factor, addend) / expected - 1), 1e-3);

  auto matmul = held_product(parameters, report, threads);
  const auto samples = sampled(parameters, threads, matmul);
  const auto limits = peak_limits(samples, static_cast<double>(lanes) * 2 * cores);
  refuse_impossible(limits, samples, report);

  report.samples("clock", "GHz", "", samples.clock, 1);
  report.samples("multiply_add_rate", "GFLOP/s", "higher", samples.multiply_add, 1);
  report.value("multiply_add_units", "", "", limits.multiply_add_units);
  if (matmul) report.value("matmul_share", "", "higher", limits.matmul_share);
}

}  // namespace assay::scenarios::machine
