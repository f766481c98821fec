// End to end: an epoch of real training steps, fed in several ways.
#include <cmath>

#include "engine/nn/batches.hpp"
#include "engine/nn/models.hpp"
#include "engine/nn/optimizer.hpp"
#include "engine/nn/train_step.hpp"
#include "scenarios/pipeline/pipeline.hpp"
#include "scenarios/pipeline/protocol.hpp"

namespace assay::scenarios::pipeline {
namespace {

/// Every mapped row in two tensors.
std::pair<engine::Tensor, engine::Tensor> whole(const engine::Pipeline& mapped, std::int64_t rows, std::uint64_t seed) {
  engine::Reader reader(mapped.batch(rows), {.seed = seed});
  engine::Element all;
  reader.next(all);
  return {all[0].release(), all[1].release()};
}

/// A model that is trained, and put back.
class Training {
 public:
  explicit Training(std::uint64_t seed) : model_(engine::models::mlp({784, 128, 64, 10}, seed)) {}

  void restore() {
    initial_.restore();
    step_.traced().load_variables();
  }
  double step(const engine::Tensor& x, const engine::Tensor& labels) {
    return static_cast<double>(step_(x, labels).loss);
  }

 private:
  engine::Model model_;
  std::unique_ptr<engine::Optimizer> optimizer_ = engine::make_adam(model_.weights());
  engine::TrainStep step_{model_, *optimizer_};
  engine::Snapshot initial_{step_.state()};
};

}  // namespace

void train(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto rows = parameters.length("sweep_rows");
  const engine::Pipeline source = first_rows(parameters, rows);
  const auto map = published_map(Form::flat);
  const auto [x, labels] = whole(source.map(map), rows, parameters.seed);
  engine::Batches batches(x, labels, batch_rows);
  Training training(parameters.seed);
  const auto from_memory = [&] {
    double loss = 0;
    for (std::int64_t i = 0; i < batches.count(); ++i) {
      const auto batch = batches.at(i);
      loss += training.step(batch.x, batch.labels);
    }
    return loss;
  };
  auto options = read_options(parameters);
  options.training_threads = parameters.threads;  // a step uses all of them
  const engine::Pipeline mapped = source.map(map);
  const engine::Pipeline pipeline =
      parameters.text("feed") == "prefetch"
          ? source.map(map, {.num_parallel_calls = engine::autotune}).batch(batch_rows).prefetch()
      : parameters.text("feed") == "cache" ? mapped.cache().batch(batch_rows)
                                           : mapped.batch(batch_rows);
  engine::Reader reader(pipeline, options);
  const auto from_pipeline = [&] {
    double loss = 0;
    engine::Element batch;
    while (reader.next(batch)) loss += training.step(batch[0].release(), batch[1].release());
    return loss;
  };
  training.restore();
  const double expected = from_memory();
  training.restore();
  report.check("the first epoch's losses equal those of training from memory", std::abs(from_pipeline() - expected), 0);

  double sum = 0;
  const bool memory = parameters.text("feed") == "memory";
  report.time("epoch_time", {.iterations = 1, .restore = [&] { training.restore(); }, .warmup = 0}, [&] {
    if (memory) {
      sum += from_memory();
    } else {
      reader.restart();
      sum += from_pipeline();
    }
  });
  report.check("timed losses are finite", std::isfinite(sum) ? 0 : 1, 0);
  report.choose("call includes", "one epoch of Adam's steps on an MLP 784-128-64-10, batch 64, and what feeds it");
  if (!memory) report_pipeline(report, pipeline, reader);
}

}  // namespace assay::scenarios::pipeline
