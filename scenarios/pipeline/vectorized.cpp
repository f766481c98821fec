// A map on single rows before the batch, against the same function on batches after it.
#include <cmath>

#include "scenarios/pipeline/pipeline.hpp"
#include "scenarios/pipeline/protocol.hpp"

namespace assay::scenarios::pipeline {

void vectorized(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto rows = parameters.length("sweep_rows");
  const bool published = parameters.text("map") == "published";
  const engine::Pipeline source = first_rows(parameters, rows);
  const engine::Pipeline single = source.map(published ? published_map() : scaling_map()).batch(batch_rows),
                         whole = source.batch(batch_rows)
                                     .map(published ? published_map_on_batches(batch_rows) : scaling_map_on_batches());
  engine::Reader one(single, read_options(parameters)), other(whole, read_options(parameters));
  engine::Element a, b;
  double different = 0;
  while (one.next(a) && other.next(b)) {
    const auto left = a[0].as<float>(), right = b[0].as<float>();
    for (std::size_t i = 0; i < left.size(); ++i) different += left[i] == right[i] ? 0 : 1;
  }
  report.check("both ways give the same values", different, 0);

  const bool on_batches = parameters.text("way") == "batches";
  engine::Reader& reader = on_batches ? other : one;
  double read = 0;
  report.time("row_time", {.iterations = 1, .items_per_call = static_cast<double>(rows)},
              [&] { read += static_cast<double>(read_next_epoch(reader).rows); });
  report.check("timed epochs had every row", std::fmod(read, static_cast<double>(rows)), 0);
  report_pipeline(report, on_batches ? whole : single, reader);
}

}  // namespace assay::scenarios::pipeline
