// The published table, whose options are added one after the other, and the sweeps of batch size, calls and depth.
#include <cmath>
#include <map>

#include "scenarios/pipeline/pipeline.hpp"
#include "scenarios/pipeline/protocol.hpp"

namespace assay::scenarios::pipeline {
namespace {

int number_or_automatic(const std::string& text) { return text == "automatic" ? engine::autotune : std::stoi(text); }

void time_epochs(const harness::Parameters& parameters, harness::Reporter& report, const engine::Pipeline& source,
                 const engine::Pipeline& pipeline, std::int64_t rows, const std::string& metric, double items) {
  engine::Reader reader(pipeline, read_options(parameters));
  check_first_epoch(report, reader, source, published_map(), rows, parameters.seed);
  double read = 0, bytes = 0;
  report.time(metric, {.iterations = 1, .items_per_call = items, .warmup = 0}, [&] {
    const Epoch epoch = read_next_epoch(reader);
    read += static_cast<double>(epoch.rows);
    bytes += epoch.first;
  });
  report.check("timed epochs had every row", std::fmod(read, static_cast<double>(rows)), 0);
  report_pipeline(report, pipeline, reader);
  report.choose("call includes",
                "opening the pipeline and one whole epoch read by the caller, its threads' start and end included" +
                    std::string(items > 1 ? "; the time is divided by the rows" : ""));
}

}  // namespace

void epoch(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto rows = parameters.length("rows");
  const engine::Pipeline source = first_rows(parameters, rows);
  const auto parallel = source.map(published_map(), {.num_parallel_calls = engine::autotune});
  const std::map<std::string, engine::Pipeline> options{{"map", source.map(published_map()).batch(batch_rows)},
                                                        {"parallel", parallel.batch(batch_rows)},
                                                        {"prefetch", parallel.batch(batch_rows).prefetch()},
                                                        {"cache", parallel.cache().batch(batch_rows).prefetch()}};
  time_epochs(parameters, report, source, options.at(parameters.text("options")), rows, "epoch_time", 1);
}

void sweep(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto rows = parameters.length("sweep_rows");
  const engine::Pipeline source = first_rows(parameters, rows);
  const auto pipeline =
      source.map(published_map(), {.num_parallel_calls = number_or_automatic(parameters.text("calls"))})
          .batch(parameters.integer("batch"))
          .prefetch(number_or_automatic(parameters.text("depth")));
  time_epochs(parameters, report, source, pipeline, rows, "row_time", static_cast<double>(rows));
}

}  // namespace assay::scenarios::pipeline
