#include "engine/data/autotune.hpp"

#include "tests/catch.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;

namespace {

int workers(double work, double training, int cores, int training_threads = 1, bool prefetched = false) {
  return threads_needed({work, training, cores, training_threads, prefetched}).workers;
}

/// A time that passes only where a test says so, and for each thread alone: what one thread does takes no time of the
/// others. So measured times, and what is chosen from them, are the same on every machine.
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

using namespace std::string_literals;

/// A reading whose counters the test sets, so that choices have nothing to do with a clock.
struct Pretended {
  explicit Pretended(int cores, int training_threads = 1, std::size_t memory = 256U << 20U)
      : reading({.cores = cores, .training_threads = training_threads, .memory = memory}), tuner(reading) {}

  /// A map of `calls` an element of which each takes `ns`; its threads are tuned.
  Knobs& map(const std::string& path, std::int64_t ns, int most_calls) {
    StageState& state = reading.state(path, "map " + path);
    state.opened = state.knobs.calls_map = state.knobs.tunes_workers = true;
    state.knobs.most_calls = most_calls;
    work.emplace_back(path, ns);
    return state.knobs;
  }
  void prefetch(const std::string& path) {
    StageState& state = reading.state(path, "prefetch");
    state.opened = state.knobs.tunes_workers = true;
  }
  void serial(const std::string& path, std::int64_t ns) {
    reading.state(path, "source");
    work.emplace_back(path, ns);
  }
  /// Each stage works on `more.elements` more; what was chosen of threads then, by path.
  std::vector<std::string> looked(const Consumed& more) {
    for (const auto& [path, ns] : work) {
      StageCounters& counters = reading.state(path, "").counters;
      (reading.state(path, "").opened ? counters.worked : counters.pulled).add(ns * more.elements);
      counters.mapped.add(more.elements);
    }
    consumed = {consumed.elements + more.elements, more.epoch, consumed.training + more.training};
    tuner.look(consumed);
    std::vector<std::string> result;
    for (const Tuned& one : tuner.choices()) {
      if (const auto at = one.choice.find(" of its own"); at != std::string::npos)
        result.push_back(one.choice.substr(0, at));
    }
    return result;
  }
  std::string reasons() const {
    std::string text;
    for (const Tuned& one : tuner.choices()) text += one.reason + "\n";
    return text;
  }

  Reading reading;
  Autotuner tuner;
  std::vector<std::pair<std::string, std::int64_t>> work;
  Consumed consumed;
};

}  // namespace

TEST_CASE("threads follow from work, training and cores") {
  // Nobody trains: every core works, the asking thread's own included.
  CHECK(workers(100, 0, 1) == 0);
  CHECK(workers(100, 0, 2) == 1);
  CHECK(workers(100, 0, 8) == 7);
  CHECK(workers(100, 0, 2, 1, true) == 2);
  // The step takes longer than the work: one thread hides it.
  CHECK(workers(20, 100, 2) == 1);
  CHECK(workers(20, 100, 8) == 1);
  // 1 / training is sustained by work / training threads.
  CHECK(workers(350, 100, 8) == 4);
  // Next to nothing to hide: no thread.
  CHECK(workers(1, 100, 2) == 0);
  CHECK(workers(0, 100, 2) == 0);
}

TEST_CASE("threads never take the cores of the training threads") {
  for (const int cores : {1, 2, 4, 8}) {
    for (const int training_threads : {1, 2, 4, 8}) {
      if (training_threads > cores) continue;
      for (const double work : {5.0, 50.0, 100.0, 150.0}) {
        const auto needed = threads_needed({work, 100, cores, training_threads, false});
        INFO(cores << " cores, " << training_threads << " training, work " << work);
        CHECK(needed.workers + training_threads <= cores);
      }
    }
  }
}

TEST_CASE("a job is as many calls as are worth handing over") {
  Knobs knobs;
  knobs.most_calls = 32;
  CHECK(calls_a_job(knobs, 1e9, 1e9) == 32);  // a batch is a batch
  knobs.job_ns = 60000;
  knobs.job_bytes = 1000;
  CHECK(calls_a_job(knobs, 100, 10) == 32);
  CHECK(calls_a_job(knobs, 0, 0) == 32);
  CHECK(calls_a_job(knobs, 16000, 10) == 4);
  CHECK(calls_a_job(knobs, 1e6, 10) == 1);
  CHECK(calls_a_job(knobs, 100, 400) == 2);
  CHECK(calls_a_job(knobs, 100, 1e6) == 1);
}

TEST_CASE("threads are started where each saves more of an epoch than its start takes") {
  // 0.2 ms a start: the first saves a half, the second a sixth, the third a twelfth.
  CHECK(threads_worth_starting(0) == 0);
  CHECK(threads_worth_starting(0.39e6) == 0);
  CHECK(threads_worth_starting(0.41e6) == 1);
  CHECK(threads_worth_starting(1.19e6) == 1);
  CHECK(threads_worth_starting(1.21e6) == 2);
  CHECK(threads_worth_starting(2.39e6) == 2);
  CHECK(threads_worth_starting(2.41e6) == 3);
}

TEST_CASE("choices follow from the counters") {
  Pretended pipeline(4);
  SECTION("a map with work gets every core's thread but the asking one's") {
    pipeline.map("0", 100'000, 1);
    CHECK(pipeline.looked({.elements = 100}) == std::vector{"3 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("100.0 us of work and 0.0 us of training an element, 4 cores"));
  }
  SECTION("one whose jobs are short gets none") {
    pipeline.map("0", 19'000, 1);
    CHECK(pipeline.looked({.elements = 100}) == std::vector{"0 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("a call takes 19.0 us, less than handing them over is worth"));
  }
  SECTION("blocks of short calls are long enough") {
    Knobs& knobs = pipeline.map("0", 19'000, 32);
    knobs.job_ns = 60000;
    knobs.job_bytes = 1000;
    CHECK(pipeline.looked({.elements = 100}) == std::vector{"3 threads"s});
  }
  SECTION("short epochs start no threads, long ones do") {
    pipeline.map("0", 60'000, 1);
    CHECK(pipeline.looked({.elements = 100, .epoch = 6}) == std::vector{"0 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("a thread would save 180.0 us an epoch"));
    CHECK(pipeline.looked({.elements = 100, .epoch = 1000}) == std::vector{"0 threads"s});  // agreed on only once
    CHECK(pipeline.looked({.elements = 100, .epoch = 1000}) == std::vector{"3 threads"s});
  }
  SECTION("equal maps share the threads, and none takes more than there are") {
    pipeline.map("0.0", 100'000, 1);
    pipeline.map("0.1", 100'000, 1);
    CHECK(pipeline.looked({.elements = 100}) == std::vector{"2 threads"s, "1 thread"s});
  }
  SECTION("the map with most work gets most threads") {
    pipeline.map("0.0", 60'000, 1);
    pipeline.map("0.1", 1'000'000, 1);
    CHECK(pipeline.looked({.elements = 100}) == std::vector{"0 threads"s, "3 threads"s});
  }
  SECTION("threads set by hand count") {
    pipeline.map("0.0", 100'000, 1).tunes_workers = false;
    pipeline.reading.state("0.0", "").knobs.workers = 3;
    pipeline.map("0.1", 100'000, 1);
    CHECK(pipeline.looked({.elements = 100}) == std::vector{"0 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("no core is left for it"));
  }
  SECTION("what maps with threads of their own do is not for others to make up for") {
    pipeline.map("0.0", 1'000'000, 1).tunes_workers = false;
    pipeline.reading.state("0.0", "").knobs.workers = 1;
    pipeline.map("0.1", 500'000, 1);
    // 1.5 ms of work in 1 ms: the consumer has no time of its own, two threads do it.
    CHECK(pipeline.looked({.elements = 100, .training = 100 * 1e6}) == std::vector{"1 thread"s});
  }
  SECTION("where there is no work there are cores all the same") {
    pipeline.prefetch("0");
    pipeline.serial("0.0", 0);
    CHECK(pipeline.looked({.elements = 100, .training = 100 * 1e6}) == std::vector{"0 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("next to none"));
  }
  SECTION("eight inputs' prefetches get the threads that there are") {
    for (int i = 0; i < 8; ++i) {
      pipeline.prefetch("0." + std::to_string(i));
      pipeline.serial("0." + std::to_string(i) + ".0", 100'000);
    }
    const auto choices = pipeline.looked({.elements = 100, .training = 100 * 1e6});
    CHECK(std::ranges::count(choices, "1 thread") == 3);
    CHECK(std::ranges::count(choices, "0 threads") == 5);
  }
  SECTION("a training that uses every core keeps them, and the reason says so") {
    Pretended busy(2, 2);
    busy.map("0.0", 100'000, 1);
    busy.prefetch("0");
    busy.serial("0.0.0", 100'000);
    CHECK(busy.looked({.elements = 100, .training = 100 * 1e6}) == std::vector{"0 threads"s, "0 threads"s});
    CHECK_THAT(busy.reasons(), Catch::Contains("no core is left for it: training uses 2 of 2\n"));
  }
  SECTION("a prefetch has no thread where the consumer does nothing in between") {
    pipeline.prefetch("0");
    pipeline.serial("0.0", 300'000);
    CHECK(pipeline.looked({.elements = 100, .training = 100 * 3000.0}) == std::vector{"0 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("the consumer does nothing in between"));
  }
  SECTION("a prefetch has one where there is something to hide behind a step") {
    pipeline.prefetch("0");
    pipeline.serial("0.0", 300'000);
    CHECK(pipeline.looked({.elements = 100, .training = 100 * 1e6}) == std::vector{"1 thread"s});
  }
  SECTION("a prefetch that would hide next to nothing has no thread") {
    pipeline.prefetch("0");
    pipeline.serial("0.0", 18'000);
    CHECK(pipeline.looked({.elements = 100, .training = 100 * 2000.0}) == std::vector{"0 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("it would hide 2.0 us an element"));
  }
}

TEST_CASE("a fused batch's buffer holds batches, not rows of batches") {
  // 256 rows of 3,136 bytes: 0.8 MB a batch.
  const auto depth = [](std::size_t memory) {
    Pretended pipeline(2, 1, memory);
    Knobs& knobs = pipeline.map("0", 100'000, 256);
    knobs.makes_batch = knobs.tunes_depth = true;
    knobs.most_depth = 32;
    pipeline.reading.state("0", "").counters.bytes.add(256 * 3136);
    pipeline.looked({.elements = 100});
    return knobs.depth.load();
  };
  CHECK(depth(256U << 20U) == 4);
  CHECK(depth(3 * 256 * 3136) == 3);
  CHECK(depth(1) == 1);
}

TEST_CASE("a cheap map gets no thread, an expensive one all cores, and both say why") {
  const auto read = [](const Pipeline& pipeline) {
    Reader reader(pipeline, on_test_clock(on_cores(4)));
    rest_of(reader);
    const auto choices = reader.choices();
    std::string reasons;
    for (const Tuned& one : choices) reasons += one.reason + "\n";
    return std::pair{reader.statistics().most_threads, reasons};
  };
  const auto [threads_of_cheap, why_none] =
      read(numbers(2000).map(takes(std::chrono::microseconds(3)), {.calls = automatic, .in_flight = 4}));
  CHECK(threads_of_cheap == 0);
  CHECK_THAT(why_none, Catch::Contains("less than handing them over is worth"));
  const auto [threads_of_expensive, why_all] =
      read(numbers(300).map(takes(std::chrono::microseconds(100)), {.calls = automatic}));
  CHECK(threads_of_expensive == 3);
  CHECK_THAT(why_all, Catch::Contains("of work") && Catch::Contains("4 cores"));
}

TEST_CASE("a training that uses every core keeps them") {
  ReadOptions options = on_test_clock(on_cores(2));
  options.training_threads = 2;
  const auto threads = [&] {
    Reader reader(numbers(60).map(takes(std::chrono::microseconds(200)), {.calls = automatic}).batch(2), options);
    Element element;
    while (reader.next(element)) spend(std::chrono::milliseconds(3));
    return reader.statistics().most_threads;
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
      return hides.statistics().most_threads;
    };
    CHECK(beside_a_step() == 1);
  }
}

TEST_CASE("a prefetch of a depth that was asked for has its thread in any case") {
  for (const auto& off : {std::vector<std::string>{}, std::vector<std::string>{"all"}}) {
    Reader asked(numbers(40).prefetch(2), without(off));
    rest_of(asked);
    CHECK(asked.statistics().most_threads == 1);
  }
}

TEST_CASE("behind a map with threads of its own a prefetch has nothing to do") {
  const auto threads = [] {
    Reader reader(numbers(60).map(takes(std::chrono::microseconds(300)), {.calls = automatic}).batch(2).prefetch(),
                  on_test_clock(on_cores(2)));
    Element element;
    while (reader.next(element)) spend(std::chrono::milliseconds(1));
    return reader.statistics().most_threads;
  };
  CHECK(threads() == 1);
}

TEST_CASE("a consumer that only takes its elements is no step to hide something behind") {
  const auto threads = [] {
    const Pipeline busy = numbers(400).map(takes(std::chrono::microseconds(100)), {.calls = automatic});
    Reader reader(busy.batch(8).prefetch(), on_test_clock(on_cores(2)));
    rest_of(reader);
    return reader.statistics().most_threads;
  };
  CHECK(threads() == 1);
}

TEST_CASE("with autotuning off automatic means every core, and nothing is chosen") {
  Reader reader(numbers(50).map(times_ten(), {.calls = automatic}), without({"data.autotune"}, 3));
  rest_of(reader);
  CHECK(reader.statistics().most_threads == 2);
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
  for (const Tuned& one : reader.choices()) CHECK(std::stoi(one.choice) <= 3);
}
