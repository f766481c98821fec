#include "engine/data/statistics.hpp"

#include "tests/catch.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

MapFunction sleeps(const std::string& name, std::chrono::microseconds time) {
  return {.name = name, .call = [time](const Element& in, Element& out, const MapCall&) {
            std::this_thread::sleep_for(time);
            out.copy(in);
          }};
}

const StageStatistics& stage(const PipelineStatistics& all, const std::string& text) {
  for (const auto& one : all.stages) {
    if (one.description.find(text) != std::string::npos) return one;
  }
  FAIL("no stage " << text);
  return all.stages.front();
}

}  // namespace

TEST_CASE("every stage counts its elements, over epochs") {
  Reader reader(numbers(10).map(times_ten(), {.num_parallel_calls = 2}).take(9).batch(4).prefetch(1), without({"all"}));
  rest_of(reader);
  reader.restart();
  rest_of(reader);
  const auto all = reader.statistics();
  CHECK(stage(all, "prefetch").elements == 2 * 3);
  CHECK(stage(all, "batch").elements == 2 * 3);
  CHECK(stage(all, "take").elements == 2 * 9);
  CHECK(stage(all, "generate").elements >= 2 * 9);  // what was read ahead is more
  CHECK(all.threads == 0);
  CHECK(all.peak_threads == 2);
}

TEST_CASE("work is the stage's that did it, and waiting the ones' above") {
  // 20 elements of 2 ms in the inner map, 0.2 ms in the outer one.
  const auto ms = [](double ns) { return ns * 1e-6; };
  Reader reader(numbers(20)
                    .map(sleeps("inner", std::chrono::microseconds(2000)))
                    .map(sleeps("outer", std::chrono::microseconds(200)))
                    .batch(5),
                without({"all"}));
  rest_of(reader);
  const auto all = reader.statistics();
  CHECK(ms(stage(all, "inner").busy) >= 40);
  CHECK(ms(stage(all, "outer").busy) >= 4);
  CHECK(ms(stage(all, "outer").waiting_for_input) >= 40);
  CHECK(ms(stage(all, "batch").waiting_for_input) >= 44);
  CHECK(stage(all, "generate").waiting_for_input == 0);
  CHECK_THAT(bottleneck(all), Catch::StartsWith("map inner: ") && Catch::Contains("of the pipeline's work"));
}

TEST_CASE("threads before a full buffer are blocked, and a consumer that does not wait is the bottleneck") {
  Reader reader(numbers(10).prefetch(1), without({"all"}));
  Element element;
  while (reader.next(element)) std::this_thread::sleep_for(std::chrono::milliseconds(3));
  const auto all = reader.statistics();
  CHECK(stage(all, "prefetch").blocked_on_output >= 10e6);
  CHECK(all.training >= 27e6);
  PipelineStatistics busy{.stages = all.stages, .waiting = 4, .training = 96};
  CHECK_THAT(bottleneck(busy), Catch::StartsWith("the consumer: it waits 4 % of its time"));
  busy.waiting = 96;
  CHECK_THAT(bottleneck(busy), Catch::StartsWith("generate numbers, 10: 100 %") && Catch::Contains("waits 50 %"));
}

TEST_CASE("an epoch has statistics of its own") {
  Reader reader(numbers(10).map(times_ten()).cache().batch(5), without({"all"}));
  rest_of(reader);
  CHECK(stage(reader.epoch_statistics(), "map").elements == 10);
  reader.restart();
  rest_of(reader);
  CHECK(stage(reader.epoch_statistics(), "map").elements == 0);  // the cache gives them
  CHECK(stage(reader.epoch_statistics(), "cache").elements == 10);
  CHECK(stage(reader.statistics(), "map").elements == 10);
  CHECK(stage(reader.statistics(), "cache").elements == 20);
}

TEST_CASE("the bottleneck's line says whose thread worked") {
  const auto line = [](const Pipeline& pipeline) {
    Reader reader(pipeline, without({"all"}));
    rest_of(reader);
    return bottleneck(reader.statistics());
  };
  const Pipeline slow = numbers(10).map(sleeps("inner", std::chrono::microseconds(1000)));
  CHECK_THAT(line(slow), Catch::Contains(" on the asking thread)"));
  CHECK_THAT(line(slow.prefetch(2)), Catch::Contains(" on the thread of prefetch 2)"));
  const Pipeline two = numbers(10).map(sleeps("inner", std::chrono::microseconds(1000)), {.num_parallel_calls = 2});
  CHECK_THAT(line(two), Catch::Contains(" on 1 thread of its own and the asking thread)"));
}

TEST_CASE("the table has a line a stage, inputs further in") {
  PipelineStatistics all;
  all.waiting = 3e6;
  all.training = 1e6;
  all.stages = {{.path = "0", .description = "batch 5", .elements = 2, .busy = 1e6, .waiting_for_input = 2e6},
                {.path = "0.0", .description = "map slow", .elements = 10, .busy = 4e6, .threads = 1}};
  CHECK(table(all) ==
        "stage | elements | busy | waiting for input | blocked on output | threads\n"
        "batch 5 | 2 | 1.00 ms | 2.00 ms | 0.00 ms | 0\n"
        "  map slow | 10 | 4.00 ms | 0.00 ms | 0.00 ms | 1\n");
  CHECK(bottleneck(all) ==
        "map slow: 80 % of the pipeline's work (4.00 ms on 1 thread of its own and the asking thread), while the "
        "consumer waits 75 % of its time");
}

TEST_CASE("cheap elements are sampled without bias") {
  // Every eighth costs a hundred times the others.
  TimingSampler sampler;
  std::int64_t estimated = 0;
  for (int i = 0; i < 80000; ++i) {
    const std::int64_t cost = i % 8 == 7 ? 1000 : 10;
    if (!sampler.due()) continue;
    estimated += cost * sampler.weight();
    sampler.took(cost);
  }
  const double expected = 10000.0 * (1000 + 7 * 10);
  CHECK(static_cast<double>(estimated) == Approx(expected).epsilon(0.1));
}

TEST_CASE("nothing read is no bottleneck") {
  const Reader reader(numbers(3), on_cores(1));
  CHECK(bottleneck(reader.statistics()) == "nothing was read yet");
}
