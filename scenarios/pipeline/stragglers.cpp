// What keeping the order costs where a few elements are slow. The map sleeps, so that the number of cores does not
// matter.
#include <chrono>
#include <cmath>
#include <thread>

#include "scenarios/pipeline/pipeline.hpp"
#include "scenarios/pipeline/protocol.hpp"

namespace assay::scenarios::pipeline {
namespace {

constexpr std::int64_t elements = 64;
constexpr int calls = 4;

void write_number(engine::Element& out, std::uint64_t number) {
  out.resize(1);
  out[0].place<std::int64_t>(engine::Shape{})[0] = static_cast<std::int64_t>(number);
}

}  // namespace

void stragglers(const harness::Parameters& parameters, harness::Reporter& report) {
  const engine::MapFunction uneven{
      .name = "1 ms, every eighth 20 ms",
      .call = [](const engine::Element& in, engine::Element& out, const engine::MapCall& call) {
        std::this_thread::sleep_for(std::chrono::milliseconds(call.index % 8 == 7 ? 20 : 1));
        out.copy(in);
      }};
  const engine::Pipeline pipeline =
      engine::Pipeline::generate("numbers", elements,
                                 [](std::uint64_t i, engine::Element& out) { write_number(out, i); })
          .map(uneven, {.num_parallel_calls = calls,
                        .deterministic = parameters.text("order") == "kept",
                        .max_in_flight = calls});
  engine::Reader reader(pipeline, read_options(parameters));
  engine::Element element;
  std::int64_t sum = 0, count = 0;
  const auto read = [&] {
    reader.restart();
    for (; reader.next(element); ++count) sum += element[0].item<std::int64_t>();
  };
  report.time("epoch_time", {.iterations = 1}, read);
  report.check("every element came once", std::abs(static_cast<double>(sum - count * (elements - 1) / 2)), 0);
  const auto statistics = reader.statistics();
  for (const auto& stage : statistics.stages) {
    if (stage.path == "0")
      report.value("effective_parallelism", "", "higher", stage.busy / (statistics.waiting + statistics.training));
  }
  report_pipeline(report, pipeline, reader);
}

}  // namespace assay::scenarios::pipeline
