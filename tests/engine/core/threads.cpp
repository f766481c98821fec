#include "engine/core/threads.hpp"

#include <atomic>
#include <vector>

#include "tests/catch.hpp"

using namespace assay::engine;

TEST_CASE("a split covers the range once, in order, at multiples of the grain") {
  for (const std::int64_t n : {0, 1, 63, 64, 1000, 1024}) {
    for (const int parts : {1, 2, 3, 7}) {
      for (const std::int64_t grain : {1, 64}) {
        std::int64_t at = 0;
        for (int part = 0; part < parts; ++part) {
          const Range range = range_of(n, part, parts, grain);
          CHECK(range.begin == at);
          CHECK(range.begin <= range.end);
          CHECK((range.end == n || range.end % grain == 0));
          at = range.end;
        }
        CHECK(at == n);
      }
    }
  }
}

TEST_CASE("parallel_for visits every element once") {
  for (const int threads : {1, 2, 3}) {
    std::vector<int> visits(1001, 0);
    parallel_for(1001, threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
    });
    CHECK(visits == std::vector<int>(1001, 1));
  }
}

TEST_CASE("every part runs, nested teams included") {
  std::atomic<int> calls{0};
  parallel_parts(3, [&](int) { parallel_parts(5, [&](int) { ++calls; }); });
  CHECK(calls == 15);
}

TEST_CASE("threads follow the work and never pass the limit") {
  CHECK(threads_for(0, 8) == 1);
  CHECK(threads_for(1e3, 8) == 1);
  CHECK(threads_for(1e12, 8) == 8);
  CHECK(threads_for(1e12, 1) == 1);
  int last = 1;
  for (double work = 1; work < 1e9; work *= 2) {
    CHECK(threads_for(work, 64) >= last);
    last = threads_for(work, 64);
  }
}
