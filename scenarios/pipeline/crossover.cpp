// What a parallel map and a prefetch are worth, by the cost of the map. Measured in one process, because it shows the
// shape of the curve; the verdicts come from paired processes.
#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/stats/median.hpp"
#include "scenarios/pipeline/pipeline.hpp"
#include "scenarios/pipeline/protocol.hpp"

namespace assay::scenarios::pipeline {
namespace {

// A quarter of the published batch and of its step: the same ratio, in a quarter of the time.
constexpr double step_ns = 3e6 / 4;
constexpr std::int64_t rows_a_batch = batch_rows / 4, batches = 8;
const std::vector<double> costs{1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6};  // ns a row

struct Measured {
  double time = 0, waiting_share = 0;
};

/// Epochs to take a median of: two, and more where they are short, because a disturbance weighs more in them.
int epochs_after(double first_ns) {
  constexpr double enough_ns = 6e7;
  return static_cast<int>(std::clamp(enough_ns / first_ns, 2.0, 15.0));
}

/// Medians over the epochs after the first one.
Measured measure(const engine::Pipeline& pipeline, const engine::ReadOptions& options, double step) {
  engine::Reader reader(pipeline, options);
  engine::Element batch;
  std::vector<double> times, shares;
  for (int epoch = 0, epochs = 1; epoch < epochs; ++epoch) {
    if (epoch > 0) reader.restart();
    const std::int64_t begin = engine::clock_ns();
    std::int64_t waiting = 0;
    for (std::int64_t asked = begin; reader.next(batch); asked = engine::clock_ns()) {
      waiting += engine::clock_ns() - asked;
      if (step > 0) busy_step(step);
    }
    const auto all = static_cast<double>(engine::clock_ns() - begin);
    if (epoch == 0) {
      epochs += epochs_after(all);
      continue;
    }
    times.push_back(all);
    shares.push_back(static_cast<double>(waiting) / all);
  }
  return {harness::median(times), harness::median(shares)};
}

/// The cost at which the curve first crosses `limit`, upwards or downwards, interpolated on a logarithmic axis.
std::optional<double> crossing(const std::vector<double>& values, double limit, bool upwards) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double a = values[i - 1] - limit, b = values[i] - limit;
    if (upwards ? a < 0 && b >= 0 : a >= 0 && b < 0)
      return std::exp(std::log(costs[i - 1]) + a / (a - b) * std::log(costs[i] / costs[i - 1]));
  }
  return std::nullopt;
}

}  // namespace

void crossover(const harness::Parameters& parameters, harness::Reporter& report) {
  const engine::Pipeline source = first_rows(parameters, batches * rows_a_batch);
  auto off = read_options(parameters), tuned = off;
  off.controls = engine::ControlSet::without(data_controls());
  std::vector<double> speed_up, without, with, gained, by_rewrites;
  for (const double cost : costs) {
    const auto map = costly_map(cost);
    const engine::Pipeline plain = source.map(map).batch(rows_a_batch),
                           parallel = source.map(map, {.num_parallel_calls = engine::autotune}).batch(rows_a_batch);
    speed_up.push_back(measure(plain, off, 0).time / measure(parallel, tuned, 0).time);
    without.push_back(measure(plain, off, step_ns).waiting_share);
    with.push_back(measure(plain.prefetch(2), off, step_ns).waiting_share);
    by_rewrites.push_back(measure(plain, tuned, step_ns).waiting_share);
    gained.push_back(without.back() - with.back());
  }
  const harness::Axis x{"cost of the map", "ns", costs};
  report.series("speed-up of a parallel map", x, {"sequential / parallel", "", speed_up});
  report.series("waiting by cost: without prefetch", x, {"waiting share", "", without});
  report.series("waiting by cost: with prefetch", x, {"waiting share", "", with});
  report.series("waiting by cost: with every rewrite", x, {"waiting share", "", by_rewrites});
  const auto tell = [&](const char* metric, const std::optional<double>& cost) {
    if (cost) report.value(metric, "ns", "", *cost);
  };
  // The bounds of the claims: 5 % of the epoch for a prefetch, 10 % for threads.
  tell("prefetch_pays_from", crossing(gained, 0.05, true));
  tell("prefetch_pays_until", crossing(gained, 0.05, false));
  tell("parallel_map_pays_from", crossing(speed_up, 1.1, true));
}

}  // namespace assay::scenarios::pipeline
