// The times of the first batch, the first epoch and a later one. The first batch waits for the buffer of the shuffle.
// The first epoch waits for memory pages and threads, and autotuning has measured nothing yet.
#include <cmath>

#include "harness/stats/median.hpp"
#include "scenarios/pipeline/pipeline.hpp"
#include "scenarios/pipeline/protocol.hpp"

namespace assay::scenarios::pipeline {

void first(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto rows = parameters.length("rows");
  const engine::Pipeline pipeline =
      first_rows(parameters, rows).shuffle({.buffer_size = rows}).map(published_map()).batch(batch_rows);
  const std::int64_t begin = engine::clock_ns();
  engine::Reader reader(pipeline, read_options(parameters));
  engine::Element batch;
  reader.next(batch);
  const std::int64_t rows_of_first = batch[0].shape()[0];
  report.value("first_batch_time", "ns", "lower", static_cast<double>(engine::clock_ns() - begin));
  const auto rest = read_epoch(reader);
  report.value("first_epoch_time", "ns", "lower", static_cast<double>(engine::clock_ns() - begin));
  report.check("an epoch has every row", std::abs(static_cast<double>(rows - rows_of_first - rest.rows)), 0);
  std::vector<double> later;
  for (int epoch = 0; epoch < 5; ++epoch) later.push_back(read_next_epoch(reader).seconds * 1e9);
  report.value("steady_epoch_time", "ns", "lower", harness::median(later));
  report_pipeline(report, pipeline, reader);
}

}  // namespace assay::scenarios::pipeline
