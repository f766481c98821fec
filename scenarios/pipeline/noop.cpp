// The cost of the pipeline itself: a map that copies and a batch, on scalars.
#include <cmath>
#include <numeric>

#include "scenarios/pipeline/pipeline.hpp"
#include "scenarios/pipeline/protocol.hpp"

namespace assay::scenarios::pipeline {

void noop(const harness::Parameters& parameters, harness::Reporter& report) {
  const auto count = parameters.length("noop_elements");
  std::vector<float> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0.0F);
  const engine::MapFunction copy{.name = "copy",
                                 .call = [](const engine::Element& in, engine::Element& out, const engine::MapCall&) {
                                   out.resize(1);
                                   out[0].place<float>(engine::Shape{})[0] = in[0].item<float>();
                                 }};
  const engine::Pipeline pipeline =
      engine::Pipeline::arrays({engine::Tensor::from<float>(engine::Shape{count}, values)}).map(copy).batch(batch_rows);
  engine::Reader reader(pipeline, read_options(parameters));

  double sum = 0;
  engine::Element batch;
  const auto read = [&] {
    reader.restart();
    while (reader.next(batch)) sum += static_cast<double>(batch[0].as<float>().back());
  };
  read();
  // The last number of every batch: 63, 127, ….
  double expected = 0;
  for (std::int64_t last = batch_rows - 1; last < count; last += batch_rows) expected += static_cast<double>(last);
  if (count % batch_rows != 0) expected += static_cast<double>(count - 1);
  report.check("every batch ends with its last number", std::abs(sum - expected), 0);
  report.time("element_time", {.items_per_call = static_cast<double>(count)}, read);
  report.choose("call includes",
                "one epoch of scalars: source, a map that copies, batches of 64; divided by the scalars");
  report_pipeline(report, pipeline, reader);
}

}  // namespace assay::scenarios::pipeline
