// Step fusing: as many training steps one by one, or all in one call of the plan.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/nn/batches.hpp"
#include "engine/nn/safetensors.hpp"
#include "harness/stats/median.hpp"
#include "scenarios/plans/describe.hpp"
#include "scenarios/precision/precision.hpp"
#include "scenarios/precision/protocol.hpp"

namespace assay::scenarios::precision {
namespace {

constexpr std::int64_t staged = 16;  // batches: what one call at most takes, and what both ways train on
constexpr std::int64_t calls = 8;    // of 16 steps, a repetition
constexpr int timed_replays = 100;

struct Data {
  std::vector<engine::Batches::Batch> one_by_one;
  engine::Batches::Batch all;
};

Data load(const harness::Parameters& parameters, std::int64_t batch) {
  const auto rows = engine::mnist::load(parameters.data).training.first(staged * batch);
  Data data;
  engine::Batches batches(rows.flat(), rows.labels, batch);
  for (std::int64_t i = 0; i < staged; ++i) {
    const auto next = batches.at(i);
    data.one_by_one.push_back({next.x.clone(), next.labels.clone()});
  }
  data.all = batches.staged(0, staged);
  return data;
}

/// 16 training steps; the losses.
std::vector<float> train(engine::TrainStep& step, const Data& data, bool fused) {
  std::vector<float> losses;
  if (fused) {
    for (const auto& result : step.steps(data.all.x, data.all.labels)) losses.push_back(result.loss);
  } else {
    for (const auto& batch : data.one_by_one) losses.push_back(step(batch.x, batch.labels).loss);
  }
  return losses;
}

/// What the kernels of one step take, each timed by itself, and the update's among them, which is the same for every
/// batch: what is left of a step is all that fusing could save.
void report_kernels(harness::Reporter& report, engine::TrainStep& step, const Data& data) {
  const engine::Tensor arguments[] = {data.one_by_one[0].x, data.one_by_one[0].labels};
  std::vector<double> all, updates;
  for (int i = 0; i < timed_replays; ++i) {
    std::vector<double> nanoseconds;
    step.traced().profile(arguments, nanoseconds);
    double update = 0;
    for (std::size_t k = 0; k < nanoseconds.size(); ++k)
      update += engine::is_update(step.traced().plan()->steps[k].op) ? nanoseconds[k] : 0;
    all.push_back(std::accumulate(nanoseconds.begin(), nanoseconds.end(), 0.0));
    updates.push_back(update);
  }
  report.value("kernel_time", "ns", "lower", harness::median(all));
  report.value("update_time", "ns", "lower", harness::median(updates));
}

}  // namespace

void fuse(const harness::Parameters& parameters, harness::Reporter& report) {
  const Data data = load(parameters, parameters.integer("batch"));
  const bool fused = parameters.integer("steps") > 1;
  engine::Model mlp = engine::models::mlp({784, 128, 64, 10}, parameters.seed);
  engine::load_weights(parameters.artifact("mlp"), mlp.weights());
  Training training(std::move(mlp));
  auto& step = training.step;
  const engine::Snapshot initial(step.state());

  const auto expected = train(step, data, false);
  const engine::Snapshot after(step.state());
  initial.restore();
  const auto found = train(step, data, fused);
  report.check("losses equal single steps' bit for bit", expected == found ? 0 : 1, 0);
  report.check("weights and slots equal single steps' bit for bit", static_cast<double>(after.changed()), 0);
  report.value("dispatches_a_step", "calls", "lower", fused ? 1.0 / static_cast<double>(staged) : 1);
  if (const auto* plan = step.traced().plan()) {
    report.choose("plan", describe(*plan));
    report_kernels(report, step, data);
  }
  report.choose("call includes", "16 training steps on 16 batches that lie ready, " +
                                     std::string(fused ? "in one call of the plan" : "one call of the plan each") +
                                     "; losses and correct rows read by the caller; the time is divided by the steps");
  double last = 0;
  report.time("step_time",
              {.iterations = calls,
               .restore =
                   [&] {
                     initial.restore();
                     step.traced().load_variables();
                   },
               .items_per_call = static_cast<double>(staged)},
              [&] { last += static_cast<double>(train(step, data, fused).back()); });
  report.check("timed losses are finite", std::isfinite(last) ? 0 : 1, 0);
}

}  // namespace assay::scenarios::precision
