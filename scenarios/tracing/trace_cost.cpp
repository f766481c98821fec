#include <cmath>

#include "engine/exec/eager.hpp"
#include "engine/nn/optimizer.hpp"
#include "engine/ops/arithmetic.hpp"
#include "harness/stats/median.hpp"
#include "harness/timing/timer.hpp"
#include "scenarios/tracing/protocol.hpp"
#include "scenarios/tracing/tracing.hpp"

namespace assay::scenarios::tracing {
namespace {

using harness::Reporter;

/// One training step on `rows` rows, from the weights of the artifact.
struct Work {
  explicit Work(const harness::Parameters& parameters, std::int64_t rows)
      : batch(first_batch(parameters, rows)), model(load_mlp(parameters)) {}

  Batch batch;
  engine::Model model;
  std::unique_ptr<engine::Optimizer> optimizer = engine::make_adam(model.weights());
  engine::TrainStep step{model, *optimizer};
  engine::Snapshot initial{step.state()};

  double median_time(const harness::Parameters& parameters, const engine::Settings& settings) {
    const engine::SettingsScope scope(settings);
    const auto timing =
        harness::measure({.iterations = parameters.length("steps"), .restore = [this] { initial.restore(); }},
                         parameters.repetitions, parameters.budget, [this] { step(batch.x, batch.labels); });
    return harness::median(timing.samples);
  }
};

/// The first call taken apart: median over fresh steps, the process's very first left out (it also warms the library
/// up).
double report_first_call(const harness::Parameters& parameters, Reporter& report) {
  std::vector<double> record, plan, bind, total;
  for (int i = 0; i < 6; ++i) {
    Work work(parameters, batch_rows);
    work.step(work.batch.x, work.batch.labels);
    const auto& time = work.step.traced().last_trace();
    if (i == 0) {
      report.value("first_trace_in_process", "ns", "lower", time.total());
      continue;
    }
    record.push_back(time.record);
    plan.push_back(time.plan);
    bind.push_back(time.bind);
    total.push_back(time.total());
  }
  report.value("trace_record", "ns", "lower", harness::median(record));
  report.value("trace_plan", "ns", "lower", harness::median(plan));
  report.value("trace_bind", "ns", "lower", harness::median(bind));
  report.value("trace_total", "ns", "lower", harness::median(total));
  return harness::median(total);
}

/// Numbers as tensors are one trace whatever their values; every new length is another one, and only so many plans are
/// kept.
void report_retraces(Reporter& report) {
  engine::Traced twice("twice",
                       [](std::span<const engine::Tensor> in) { return std::vector<engine::Tensor>{in[0] + in[0]}; });
  for (int i = 0; i < 10; ++i) twice({engine::Tensor::scalar(static_cast<float>(i))});
  report.value("traces_of_ten_numbers", "", "lower", twice.traces());
  report.check("ten numbers are one trace", std::abs(twice.traces() - 1), 0);
  for (int length = 1; length <= 50; ++length) twice({engine::Tensor::zeros(engine::Shape{length})});
  report.value("traces_of_fifty_lengths", "", "lower", twice.traces() - 1);
  report.check("fifty lengths are fifty traces", std::abs(twice.traces() - 51), 0);
  report.check("plans kept are bounded", static_cast<double>(twice.plans()),
               static_cast<double>(engine::Traced::most_plans));
}

}  // namespace

void trace_cost(const harness::Parameters& parameters, Reporter& report) {
  if (!engine::settings().controls.on(engine::Control::trace))
    throw harness::Skipped("engine.trace is off: there is no trace to take apart");
  const double trace = report_first_call(parameters, report);
  report_retraces(report);

  std::vector<double> sizes, ratios, eager_times, traced_times;
  double saved = 0, share = 0, unpacked = 0;
  for (const std::int64_t rows : {1, 8, 32, 128, 512}) {
    Work work(parameters, rows);
    const double traced = work.median_time(parameters, engine::settings());
    const double eager = work.median_time(parameters, eager_settings());
    sizes.push_back(static_cast<double>(rows));
    traced_times.push_back(traced);
    eager_times.push_back(eager);
    ratios.push_back(eager / traced);
    if (rows == batch_rows) {
      saved = eager - traced;
      share = saved / eager;
      auto without = engine::settings();
      without.controls = without.controls.without(engine::Control::prepack);
      unpacked = work.median_time(parameters, without) - traced;
    }
  }
  report.series("eager step", {"batch", "rows", sizes}, {"step time", "ns", eager_times});
  report.series("traced step", {"batch", "rows", sizes}, {"step time", "ns", traced_times});
  report.series("eager over traced", {"batch", "rows", sizes}, {"ratio", "", ratios});

  Work counted(parameters, batch_rows);
  const engine::SettingsScope scope(eager_settings());
  counted.step(counted.batch.x, counted.batch.labels);
  const auto before = engine::eager_cache();
  counted.step(counted.batch.x, counted.batch.labels);
  const auto operations =
      static_cast<double>(engine::eager_cache().hits + engine::eager_cache().misses - before.hits - before.misses);
  report.value("eager_operations_a_step", "", "lower", operations);
  // What an eager step pays above a traced one: the layout of the weights (a plan keeps them packed; below 0 where
  // plain ones are faster), and for each operation the look-up, the output's memory and the call.
  report.value("share_of_eager_step_saved", "", "", share);
  report.value("packed_weights_save", "ns", "", unpacked);
  report.value("dispatch_an_operation", "ns", "lower", (saved - unpacked) / operations);
  report.choose("how these were measured",
                "in one process, eager after traced: for the shape of the curve; the verdict comes from the paired "
                "processes of tracing.step");
  // Calls after which tracing has paid for itself; where a traced call saves nothing there is no such number, and none
  // is printed.
  if (saved > 0) report.value("break_even_calls", "calls", "lower", trace / saved);
}

}  // namespace assay::scenarios::tracing
