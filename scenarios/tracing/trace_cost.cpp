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

  /// ns a step, one sample a repetition.
  std::vector<double> times(const harness::Parameters& parameters, const engine::Settings& settings, int repetitions) {
    const engine::SettingsScope scope(settings);
    return harness::measure({.iterations = parameters.length("steps"), .restore = [this] { initial.restore(); }},
                            repetitions, [this] { step(batch.x, batch.labels); })
        .samples;
  }
  double median_time(const harness::Parameters& parameters, const engine::Settings& settings) {
    return harness::median(times(parameters, settings, parameters.repetitions));
  }
};

/// What is formed of several times at once, each of which one busy moment can spoil: so each has its spread.
constexpr int turns = 7;

/// The first call taken apart, over fresh steps, the process's very first left out (it also warms the library up).
/// Returns the whole of each.
std::vector<double> report_first_call(const harness::Parameters& parameters, Reporter& report) {
  std::vector<double> record, plan, bind, total;
  for (int i = 0; i <= turns; ++i) {
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
  report.samples("trace_record", "ns", "lower", record);
  report.samples("trace_plan", "ns", "lower", plan);
  report.samples("trace_bind", "ns", "lower", bind);
  report.samples("trace_total", "ns", "lower", total);
  return total;
}

/// Operations of one eager step, counted.
double report_operations(const harness::Parameters& parameters, Reporter& report) {
  Work counted(parameters, batch_rows);
  const engine::SettingsScope scope(eager_settings());
  counted.step(counted.batch.x, counted.batch.labels);
  const auto before = engine::eager_cache();
  counted.step(counted.batch.x, counted.batch.labels);
  const auto after = engine::eager_cache();
  const auto operations = static_cast<double>(after.hits + after.misses - before.hits - before.misses);
  report.value("eager_operations_a_step", "", "lower", operations);
  return operations;
}

/// What an eager step pays above a traced one: the layout of the weights (a plan keeps them packed; below 0 where plain
/// ones are faster), and for each operation the look-up, the output's memory and the call. The sides take turns.
void report_what_is_saved(const harness::Parameters& parameters, Reporter& report, const std::vector<double>& traces) {
  const double operations = report_operations(parameters, report);
  auto plain = engine::settings();
  plain.controls = plain.controls.without(engine::Control::prepack);
  Work traced(parameters, batch_rows), eager(parameters, batch_rows), unpacked(parameters, batch_rows);
  std::vector<double> shares, packed, dispatch, break_even;
  for (int turn = 0; turn < turns; ++turn) {
    const double with = traced.times(parameters, engine::settings(), 1).front(),
                 without = eager.times(parameters, eager_settings(), 1).front(),
                 loose = unpacked.times(parameters, plain, 1).front(), saved = without - with;
    shares.push_back(saved / without);
    packed.push_back(loose - with);
    dispatch.push_back((saved - packed.back()) / operations);
    if (saved > 0) break_even.push_back(traces[static_cast<std::size_t>(turn)] / saved);
  }
  report.samples("share_of_eager_step_saved", "", "", shares);
  report.samples("packed_weights_save", "ns", "", packed);
  report.samples("dispatch_an_operation", "ns", "lower", dispatch);
  // Calls after which tracing has paid for itself; where a traced call saves nothing there is no such number, and none
  // is printed.
  if (break_even.size() == static_cast<std::size_t>(turns))
    report.samples("break_even_calls", "calls", "lower", break_even);
  else
    report.choose("break_even_calls", {{"reason", "a traced step saved nothing in " +
                                                      std::to_string(turns - static_cast<int>(break_even.size())) +
                                                      " of " + std::to_string(turns) + " turns"}});
}

/// Numbers as tensors are one trace whatever their values; every new length is another one, and only so many plans are
/// kept.
void report_retraces(Reporter& report) {
  engine::TracedFunction twice(
      "twice", [](std::span<const engine::Tensor> in) { return std::vector<engine::Tensor>{in[0] + in[0]}; });
  for (int i = 0; i < 10; ++i) twice({engine::Tensor::scalar(static_cast<float>(i))});
  report.value("traces_of_ten_numbers", "", "lower", twice.traces());
  report.check("ten numbers are one trace", std::abs(twice.traces() - 1), 0);
  for (int length = 1; length <= 50; ++length) twice({engine::Tensor::zeros(engine::Shape{length})});
  report.value("traces_of_fifty_lengths", "", "lower", twice.traces() - 1);
  report.check("fifty lengths are fifty traces", std::abs(twice.traces() - 51), 0);
  report.check("plans kept are bounded", static_cast<double>(twice.plans()),
               static_cast<double>(engine::TracedFunction::max_plans));
}

}  // namespace

void trace_cost(const harness::Parameters& parameters, Reporter& report) {
  if (!engine::settings().controls.on(engine::Control::trace))
    throw harness::Skipped("engine.trace is off: there is no trace to take apart");
  const auto traces = report_first_call(parameters, report);
  report_retraces(report);

  std::vector<double> sizes, ratios, eager_times, traced_times;
  for (const std::int64_t rows : {1, 8, 32, 128, 512}) {
    Work work(parameters, rows);
    const double traced = work.median_time(parameters, engine::settings());
    const double eager = work.median_time(parameters, eager_settings());
    sizes.push_back(static_cast<double>(rows));
    traced_times.push_back(traced);
    eager_times.push_back(eager);
    ratios.push_back(eager / traced);
  }
  report.series("eager step", {"batch", "rows", sizes}, {"step time", "ns", eager_times});
  report.series("traced step", {"batch", "rows", sizes}, {"step time", "ns", traced_times});
  report.series("eager over traced", {"batch", "rows", sizes}, {"ratio", "", ratios});

  report_what_is_saved(parameters, report, traces);
  report.choose(
      "how these were measured",
      "in one process, the curve eager after traced, the rest in turns: for shape and size; the verdict comes "
      "from the paired processes of tracing.step");
}

}  // namespace assay::scenarios::tracing
