#include "harness/timing/timer.hpp"

#include <stdexcept>
#include <thread>

#include "tests/catch.hpp"

using namespace assay::harness;
using namespace std::chrono_literals;

TEST_CASE("fixed iterations: restore before each repetition, exactly that many calls after it") {
  int restored = 0, calls = 0;
  std::vector<int> calls_at_restore;
  const auto timing = measure({.iterations = 5,
                               .restore =
                                   [&] {
                                     ++restored;
                                     calls_at_restore.push_back(calls);
                                   },
                               .warmup = 2},
                              3, [&] { ++calls; });
  CHECK(timing.samples.size() == 3);
  CHECK(timing.warmup == 2);
  CHECK(calls == 2 + 3 * 5);
  CHECK(calls_at_restore == std::vector<int>{0, 2, 7, 12});
}

TEST_CASE("a sample is ns a call, or an item of it") {
  const auto call = [] { std::this_thread::sleep_for(2ms); };
  for (const double items : {1.0, 4.0})
    for (const double sample : measure({.iterations = 3, .items_per_call = items}, 2, call).samples)
      CHECK(sample >= 2e6 / items);  // sleeping is never shorter
}

TEST_CASE("without iterations a count is found once and kept, its search is counted as warm-up") {
  std::int64_t calls = 0;
  const auto timing = measure({.warmup = 1}, 3, [&] { ++calls; });
  REQUIRE(timing.samples.size() == 3);
  CHECK((calls - timing.warmup) % 3 == 0);
  CHECK(timing.warmup > 1);
}

TEST_CASE("every repetition is measured, however long it takes, so that programs have equally many") {
  for (const auto pause : {0ms, 20ms})
    CHECK(measure({.iterations = 2}, 5, [&] { std::this_thread::sleep_for(pause); }).samples.size() == 5);
}

TEST_CASE("what a call or a restore throws comes out, and the next timing works") {
  CHECK_THROWS_WITH(measure({.iterations = 2}, 1,
                            [n = 0]() mutable {
                              if (++n == 3) throw std::runtime_error("third call");
                            }),
                    "third call");
  CHECK_THROWS_WITH(measure({.iterations = 1, .restore = [] { throw std::runtime_error("restore"); }}, 1, [] {}),
                    "restore");
  CHECK_THROWS_AS(measure({.iterations = -1}, 1, [] {}), std::invalid_argument);
  CHECK(measure({.iterations = 2}, 1, [] {}).samples.size() == 1);
}
