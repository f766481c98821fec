// What autotuning chooses while a pipeline is read.
#include "engine/data/reader.hpp"

#include "tests/catch.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

/// A clock that only the test moves, one for each thread. So the measured times, and what is chosen from them, are the
/// same on every machine.
thread_local std::int64_t test_time_ns = 1;

void spend(std::chrono::microseconds time) { test_time_ns += std::chrono::nanoseconds(time).count(); }

ReadOptions on_test_clock(ReadOptions options) {
  options.clock = [] { return test_time_ns; };
  return options;
}

MapFunction takes(std::chrono::microseconds time) {
  return {.name = "slow", .call = [time](const Element& in, Element& out, const MapCall&) {
            spend(time);
            out.copy(in);
          }};
}

}  // namespace

TEST_CASE("a cheap map gets no thread, an expensive one all cores, and both say why") {
  const auto read = [](const Pipeline& pipeline) {
    Reader reader(pipeline, on_test_clock(on_cores(4)));
    rest_of(reader);
    const auto choices = reader.choices();
    std::string reasons;
    for (const TuningChoice& one : choices) reasons += one.reason + "\n";
    return std::pair{reader.statistics().peak_threads, reasons};
  };
  const auto [threads_of_cheap, why_none] = read(
      numbers(2000).map(takes(std::chrono::microseconds(3)), {.num_parallel_calls = autotune, .max_in_flight = 4}));
  CHECK(threads_of_cheap == 0);
  CHECK_THAT(why_none, Catch::Contains("less than handing them over is worth"));
  const auto [threads_of_expensive, why_all] =
      read(numbers(300).map(takes(std::chrono::microseconds(100)), {.num_parallel_calls = autotune}));
  CHECK(threads_of_expensive == 3);
  CHECK_THAT(why_all, Catch::Contains("of work") && Catch::Contains("4 cores"));
}

TEST_CASE("a training that uses every core keeps them") {
  ReadOptions options = on_test_clock(on_cores(2));
  options.training_threads = 2;
  const auto threads = [&] {
    Reader reader(numbers(60).map(takes(std::chrono::microseconds(200)), {.num_parallel_calls = autotune}).batch(2),
                  options);
    Element element;
    while (reader.next(element)) spend(std::chrono::milliseconds(3));
    return reader.statistics().peak_threads;
  };
  CHECK(threads() == 0);
}

TEST_CASE("an automatic prefetch gets its thread where there is something to hide behind a step") {
  const Pipeline sequential = numbers(40).map(takes(std::chrono::microseconds(300))).batch(2);
  const std::vector<std::string> off{"data.parallelize_map"};
  for (const Pipeline& pipeline : {sequential, sequential.prefetch()}) {
    const auto beside_a_step = [&] {
      Reader hides(pipeline, on_test_clock(without(off)));
      Element element;
      while (hides.next(element)) spend(std::chrono::milliseconds(1));
      return hides.statistics().peak_threads;
    };
    CHECK(beside_a_step() == 1);
  }
}

TEST_CASE("a prefetch of a depth that was asked for has its thread in any case") {
  for (const auto& off : {std::vector<std::string>{}, std::vector<std::string>{"all"}}) {
    Reader asked(numbers(40).prefetch(2), without(off));
    rest_of(asked);
    CHECK(asked.statistics().peak_threads == 1);
  }
}

TEST_CASE("behind a map with threads of its own a prefetch has nothing to do") {
  const auto threads = [] {
    Reader reader(
        numbers(60).map(takes(std::chrono::microseconds(300)), {.num_parallel_calls = autotune}).batch(2).prefetch(),
        on_test_clock(on_cores(2)));
    Element element;
    while (reader.next(element)) spend(std::chrono::milliseconds(1));
    return reader.statistics().peak_threads;
  };
  CHECK(threads() == 1);
}

TEST_CASE("a consumer that only takes its elements is no step to hide something behind") {
  const auto threads = [] {
    const Pipeline busy = numbers(400).map(takes(std::chrono::microseconds(100)), {.num_parallel_calls = autotune});
    Reader reader(busy.batch(8).prefetch(), on_test_clock(on_cores(2)));
    rest_of(reader);
    return reader.statistics().peak_threads;
  };
  CHECK(threads() == 1);
}

TEST_CASE("with autotuning off automatic means every core, and nothing is chosen") {
  Reader reader(numbers(50).map(times_ten(), {.num_parallel_calls = autotune}), without({"data.autotune"}, 3));
  rest_of(reader);
  CHECK(reader.statistics().peak_threads == 2);
  CHECK(reader.choices().empty());
}

TEST_CASE("buffers stay inside the memory budget") {
  ReadOptions options = on_cores(2);
  options.memory = 3 << 20;  // three elements
  const Pipeline large = Pipeline::generate("large", 60, [](std::uint64_t index, Element& out) {
    out.resize(1);
    out[0].place<std::uint8_t>(Shape{1 << 20});
    // Now slow, now fast: a deep buffer would pay.
    if (index % 8 == 7) std::this_thread::sleep_for(std::chrono::milliseconds(4));
  });
  Reader reader(large.prefetch(), options);
  Element element;
  while (reader.next(element)) std::this_thread::sleep_for(std::chrono::microseconds(500));
  REQUIRE(reader.choices().size() == 2);
  for (const TuningChoice& one : reader.choices()) CHECK(std::stoi(one.choice) <= 3);
}
