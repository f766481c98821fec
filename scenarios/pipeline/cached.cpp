// The second pass of a memory cache against the copy that it consists of: as many bytes, copied row by row.
#include <cmath>
#include <cstring>

#include "harness/stats/median.hpp"
#include "scenarios/pipeline/pipeline.hpp"
#include "scenarios/pipeline/protocol.hpp"

namespace assay::scenarios::pipeline {
namespace {

constexpr int passes = 30;
constexpr std::size_t row_bytes = pixels_a_row * sizeof(float);

double seconds_of(const auto& work) {
  const std::int64_t begin = engine::clock_ns();
  work();
  return static_cast<double>(engine::clock_ns() - begin) * 1e-9;
}

}  // namespace

void cached(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto rows = parameters.length("rows");
  auto options = read_options(parameters);
  const engine::Pipeline pipeline = first_rows(parameters, rows).map(published_map()).cache().batch(batch_rows);
  engine::Reader reader(pipeline, options);
  const double filling = read_epoch(reader).seconds;

  std::vector<float> all(static_cast<std::size_t>(rows) * pixels_a_row, 1.0F),
      batch(static_cast<std::size_t>(batch_rows) * pixels_a_row);
  const auto copy = [&] {
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
      std::memcpy(batch.data() + row % batch_rows * pixels_a_row, all.data() + row * pixels_a_row, row_bytes);
  };
  std::vector<double> pass_times, copy_times;
  for (int i = 0; i < passes; ++i) {
    pass_times.push_back(read_next_epoch(reader).seconds);
    copy_times.push_back(seconds_of(copy));
  }
  const double pass = harness::median(pass_times), copied = harness::median(copy_times);
  const double bytes = 2.0 * static_cast<double>(rows) * row_bytes;  // read and written
  report.check("the copy was made", std::abs(static_cast<double>(batch.front()) - 1), 0);
  report.value("filling_pass_time", "ns", "lower", filling * 1e9);
  report.value("cached_pass_time", "ns", "lower", pass * 1e9);
  report.value("cached_bandwidth", "B/s", "higher", bytes / pass);
  report.value("copy_bandwidth", "B/s", "higher", bytes / copied);
  report.value("share_of_copy_bandwidth", "", "higher", copied / pass);
  report_pipeline(report, pipeline, reader);
}

}  // namespace assay::scenarios::pipeline
