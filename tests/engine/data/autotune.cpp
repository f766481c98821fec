#include "engine/data/autotune.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/engine/data/pipelines.hpp"

using namespace assay::engine;
using namespace assay::engine::testing;
using namespace std::string_literals;

namespace {

/// A pipeline whose counters the test sets, so that the choices do not depend on a clock.
struct FakePipeline {
  explicit FakePipeline(int cores, int training_threads = 1, std::size_t memory = 256U << 20U)
      : context({.cores = cores, .training_threads = training_threads, .memory = memory}), autotuner(context) {}

  /// A map whose threads are tuned; each call takes `ns`.
  Tunables& map(const std::string& path, std::int64_t ns, int max_calls) {
    StageState& state = context.state(path, "map " + path);
    state.counts_own_work = state.tunables.calls_map = state.tunables.tunes_workers = true;
    state.tunables.max_calls = max_calls;
    work.emplace_back(path, ns);
    return state.tunables;
  }
  void prefetch(const std::string& path) {
    StageState& state = context.state(path, "prefetch");
    state.counts_own_work = state.tunables.tunes_workers = true;
  }
  void serial(const std::string& path, std::int64_t ns) {
    context.state(path, "source");
    work.emplace_back(path, ns);
  }
  /// Lets each stage work on `more.elements` elements. Returns what is chosen then of threads, by path.
  std::vector<std::string> tuned_after(const ConsumerProgress& more) {
    for (const auto& [path, ns] : work) {
      StageCounters& counters = context.state(path, "").counters;
      (context.state(path, "").counts_own_work ? counters.worked : counters.pulled).add(ns * more.elements);
      counters.mapped.add(more.elements);
    }
    progress = {progress.elements + more.elements, more.elements_per_epoch, progress.training + more.training};
    autotuner.update(progress);
    std::vector<std::string> result;
    for (const TuningChoice& one : autotuner.choices()) {
      if (const auto at = one.choice.find(" of its own"); at != std::string::npos)
        result.push_back(one.choice.substr(0, at));
    }
    return result;
  }
  std::string reasons() const {
    std::string text;
    for (const TuningChoice& one : autotuner.choices()) text += one.reason + "\n";
    return text;
  }

  PipelineContext context;
  Autotuner autotuner;
  std::vector<std::pair<std::string, std::int64_t>> work;
  ConsumerProgress progress;
};

}  // namespace

TEST_CASE("choices follow from the counters") {
  FakePipeline pipeline(4);
  SECTION("a map with work gets every core's thread but the asking one's") {
    pipeline.map("0", 100'000, 1);
    CHECK(pipeline.tuned_after({.elements = 100}) == std::vector{"3 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("100.0 us of work and 0.0 us of training an element, 4 cores"));
  }
  SECTION("one whose jobs are short gets none") {
    pipeline.map("0", 19'000, 1);
    CHECK(pipeline.tuned_after({.elements = 100}) == std::vector{"0 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("a call takes 19.0 us, less than handing them over is worth"));
  }
  SECTION("blocks of short calls are long enough") {
    Tunables& tunables = pipeline.map("0", 19'000, 32);
    tunables.job_ns = 60000;
    tunables.job_bytes = 1000;
    CHECK(pipeline.tuned_after({.elements = 100}) == std::vector{"3 threads"s});
  }
  SECTION("short epochs start no threads, long ones do") {
    pipeline.map("0", 60'000, 1);
    CHECK(pipeline.tuned_after({.elements = 100, .elements_per_epoch = 6}) == std::vector{"0 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("a thread would save 180.0 us an epoch"));
    CHECK(pipeline.tuned_after({.elements = 100, .elements_per_epoch = 1000}) ==
          std::vector{"0 threads"s});  // agreed on only once
    CHECK(pipeline.tuned_after({.elements = 100, .elements_per_epoch = 1000}) == std::vector{"3 threads"s});
  }
  SECTION("equal maps share the threads, and none takes more than there are") {
    pipeline.map("0.0", 100'000, 1);
    pipeline.map("0.1", 100'000, 1);
    CHECK(pipeline.tuned_after({.elements = 100}) == std::vector{"2 threads"s, "1 thread"s});
  }
  SECTION("the map with most work gets most threads") {
    pipeline.map("0.0", 60'000, 1);
    pipeline.map("0.1", 1'000'000, 1);
    CHECK(pipeline.tuned_after({.elements = 100}) == std::vector{"0 threads"s, "3 threads"s});
  }
  SECTION("threads set by hand count") {
    pipeline.map("0.0", 100'000, 1).tunes_workers = false;
    pipeline.context.state("0.0", "").tunables.workers = 3;
    pipeline.map("0.1", 100'000, 1);
    CHECK(pipeline.tuned_after({.elements = 100}) == std::vector{"0 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("no core is left for it"));
  }
  SECTION("what maps with threads of their own do is not for others to make up for") {
    pipeline.map("0.0", 1'000'000, 1).tunes_workers = false;
    pipeline.context.state("0.0", "").tunables.workers = 1;
    pipeline.map("0.1", 500'000, 1);
    // 1.5 ms of work in 1 ms: the consumer has no time of its own, two threads do it.
    CHECK(pipeline.tuned_after({.elements = 100, .training = 100 * 1e6}) == std::vector{"1 thread"s});
  }
  SECTION("where there is no work there are cores all the same") {
    pipeline.prefetch("0");
    pipeline.serial("0.0", 0);
    CHECK(pipeline.tuned_after({.elements = 100, .training = 100 * 1e6}) == std::vector{"0 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("next to none"));
  }
  SECTION("eight inputs' prefetches get the threads that there are") {
    for (int i = 0; i < 8; ++i) {
      pipeline.prefetch("0." + std::to_string(i));
      pipeline.serial("0." + std::to_string(i) + ".0", 100'000);
    }
    const auto choices = pipeline.tuned_after({.elements = 100, .training = 100 * 1e6});
    CHECK(std::ranges::count(choices, "1 thread") == 3);
    CHECK(std::ranges::count(choices, "0 threads") == 5);
  }
  SECTION("a training that uses every core keeps them, and the reason says so") {
    FakePipeline busy(2, 2);
    busy.map("0.0", 100'000, 1);
    busy.prefetch("0");
    busy.serial("0.0.0", 100'000);
    CHECK(busy.tuned_after({.elements = 100, .training = 100 * 1e6}) == std::vector{"0 threads"s, "0 threads"s});
    CHECK_THAT(busy.reasons(), Catch::Contains("no core is left for it: training uses 2 of 2\n"));
  }
  SECTION("a prefetch has no thread where the consumer does nothing in between") {
    pipeline.prefetch("0");
    pipeline.serial("0.0", 300'000);
    CHECK(pipeline.tuned_after({.elements = 100, .training = 100 * 3000.0}) == std::vector{"0 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("the consumer does nothing in between"));
  }
  SECTION("a prefetch has one where there is something to hide behind a step") {
    pipeline.prefetch("0");
    pipeline.serial("0.0", 300'000);
    CHECK(pipeline.tuned_after({.elements = 100, .training = 100 * 1e6}) == std::vector{"1 thread"s});
  }
  SECTION("a prefetch that would hide next to nothing has no thread") {
    pipeline.prefetch("0");
    pipeline.serial("0.0", 18'000);
    CHECK(pipeline.tuned_after({.elements = 100, .training = 100 * 2000.0}) == std::vector{"0 threads"s});
    CHECK_THAT(pipeline.reasons(), Catch::Contains("it would hide 2.0 us an element"));
  }
}

TEST_CASE("a fused batch's buffer holds batches, not rows of batches") {
  // 256 rows of 3,136 bytes: 0.8 MB a batch.
  const auto depth = [](std::size_t memory) {
    FakePipeline pipeline(2, 1, memory);
    Tunables& tunables = pipeline.map("0", 100'000, 256);
    tunables.makes_batch = tunables.tunes_depth = true;
    tunables.max_depth = 32;
    pipeline.context.state("0", "").counters.bytes.add(256 * 3136);
    pipeline.tuned_after({.elements = 100});
    return tunables.depth.load();
  };
  CHECK(depth(256U << 20U) == 4);
  CHECK(depth(3 * 256 * 3136) == 3);
  CHECK(depth(1) == 1);
}
