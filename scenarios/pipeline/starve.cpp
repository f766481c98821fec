// How long a training step waits for its data, with and without a prefetch.
#include "scenarios/pipeline/pipeline.hpp"
#include "scenarios/pipeline/protocol.hpp"

namespace assay::scenarios::pipeline {
namespace {

constexpr double step_ns = 3e6;
/// TensorFlow's map takes 0.85 s for 4,000 rows on 2 cores of a Zen 4 (oneDNN on): 4.5 steps of 3 ms a batch of 64.
constexpr double tensorflows_map_ns = 212500;

}  // namespace

void starve(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto rows = parameters.length("starve_rows");
  const engine::Pipeline source = first_rows(parameters, rows);
  const auto function = parameters.text("map") == "published" ? published_map() : costly_map(tensorflows_map_ns);
  const engine::Pipeline batches = source.map(function).batch(batch_rows);
  const engine::Pipeline pipeline = parameters.text("prefetch") == "on" ? batches.prefetch() : batches;
  engine::Reader reader(pipeline, read_options(parameters));
  check_first_epoch(report, reader, source, function, rows, parameters.seed);

  std::vector<double> shares;
  engine::Element batch;
  for (int repetition = 0; repetition < parameters.repetitions; ++repetition) {
    const std::int64_t begin = engine::clock_ns();
    std::int64_t waiting = 0;
    reader.restart();
    for (std::int64_t asked = begin; reader.next(batch); asked = engine::clock_ns()) {
      waiting += engine::clock_ns() - asked;
      busy_step(step_ns);
    }
    const auto all = static_cast<double>(engine::clock_ns() - begin);
    shares.push_back(static_cast<double>(waiting) / all);
  }
  report.samples("waiting_share", "", "lower", shares, 1);
  report_pipeline(report, pipeline, reader);
}

}  // namespace assay::scenarios::pipeline
