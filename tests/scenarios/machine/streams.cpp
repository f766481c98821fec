#include "scenarios/machine/streams.hpp"

#include "engine/core/storage.hpp"
#include "scenarios/machine/working_set.hpp"
#include "tests/catch.hpp"

using namespace assay::scenarios::machine;

namespace {

constexpr std::int64_t count = 3 * stream_grain;

/// Aligned, as the walks want it, with one grain behind the end that nobody may touch.
struct Floats {
  assay::engine::Storage storage{(count + stream_grain) * sizeof(float)};
  float* data = reinterpret_cast<float*>(storage.data());
  Floats(float first, float step) {
    for (std::int64_t i = 0; i < count + stream_grain; ++i) data[i] = first + step * static_cast<float>(i);
  }
};

}  // namespace

TEST_CASE("reading sums every element and no other") {
  const Floats numbers(1, 1);
  CHECK(read(numbers.data, count) == count * (count + 1) / 2);  // below 2^24: exact
}

TEST_CASE("a triad is left + factor * right, up to the end and not beyond") {
  const Floats left(0, 1), right(5, 2);
  Floats to(-1, 0);
  triad(to.data, left.data, right.data, 3, count);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto x = static_cast<float>(i);
    REQUIRE(to.data[i] == x + 3 * (5 + 2 * x));
  }
  for (std::int64_t i = count; i < count + stream_grain; ++i) REQUIRE(to.data[i] == -1);
}

TEST_CASE("a copy is equal, up to the end and not beyond") {
  const Floats from(7, 3);
  Floats to(-1, 0);
  copy(to.data, from.data, count);
  for (std::int64_t i = 0; i < count; ++i) REQUIRE(to.data[i] == from.data[i]);
  CHECK(to.data[count] == -1);
}

TEST_CASE("a working set gives the right answer for every walk, on one thread and on two") {
  for (const auto& walk : walks())
    for (const int threads : {1, 2}) {
      INFO(walk.name << " on " << threads);
      WorkingSet set(walk, 48 << 10, threads);
      if (walk.walk != Walk::copy) CHECK(set.error() > 0.5);  // nothing has run: the check can fail
      set.run(2);
      CHECK(set.error() == 0);
      // 48 KiB is a whole number of grains in 1, 2, 3 and 6 arrays
      CHECK(set.bytes_moved() == 48 << 10);
    }
}

TEST_CASE("a working set smaller than a grain has one") {
  WorkingSet set(walks()[2], 1, 1);
  CHECK(set.bytes_moved() == 3 * stream_grain * sizeof(float));
}

TEST_CASE("working sets double from 16 KiB a thread and end where they were told to") {
  CHECK(working_set_sizes(100 << 10, 1) == std::vector<std::uint64_t>{16 << 10, 32 << 10, 64 << 10, 100 << 10});
  CHECK(working_set_sizes(64 << 10, 2) == std::vector<std::uint64_t>{32 << 10, 64 << 10});
}

TEST_CASE("the largest working set passes the caches, but neither 256 MiB nor what is free") {
  constexpr std::uint64_t mib = 1 << 20;
  CHECK(largest_working_set(8 * mib, 8192 * mib) == 32 * mib);
  CHECK(largest_working_set(480 * mib, 8192 * mib) == 256 * mib);
  CHECK(largest_working_set(480 * mib, 512 * mib) == 64 * mib);
  CHECK(largest_working_set(0, 8192 * mib) == 256 * mib);  // no cache known
}
