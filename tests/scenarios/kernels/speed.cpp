#include "scenarios/kernels/speed.hpp"

#include "scenarios/kernels/in_place.hpp"
#include "scenarios/kernels/roofs.hpp"
#include "tests/catch.hpp"

using namespace assay;
using namespace assay::scenarios::kernels;

TEST_CASE("a share of the roof is the rate over what peak and bandwidth allow at that intensity") {
  // 1000 FLOP and 500 bytes in 10 ns: 100 GFLOP/s, 50 GB/s
  const auto computing = speed_of({10, 125, 200}, 1000, 500);
  CHECK(computing.flop_rate == 100);
  CHECK(computing.byte_rate == 50);
  CHECK(computing.peak_share == Approx(0.8));
  CHECK(computing.bandwidth_share == Approx(0.25));
  const double attainable = std::min(125.0, 1000.0 / 500 * 200);
  CHECK(computing.share() == Approx(computing.flop_rate / attainable));

  const auto moving = speed_of({10, 1000, 100}, 1000, 500);
  CHECK(moving.share() == Approx(moving.flop_rate / std::min(1000.0, 1000.0 / 500 * 100)));
  CHECK(moving.share() == Approx(0.5));
}

TEST_CASE("a kernel may be a little above a walk, and hardly above the peak") {
  CHECK(Speed{0, 0, 1.04, 1.14}.possible());
  CHECK_FALSE(Speed{0, 0, 1.06, 0.5}.possible());
  CHECK_FALSE(Speed{0, 0, 0.5, 1.16}.possible());
}

TEST_CASE("the roof of bandwidth has the mix of reading and writing of the kernel") {
  CHECK(walk_like(0).name == "read");
  CHECK(walk_like(0.1).name == "read");
  CHECK(walk_like(0.3).name == "triad");
  CHECK(walk_like(0.5).name == "copy");
  CHECK(walk_like(1).name == "copy");
}

TEST_CASE("a small set is walked as one of 16 KiB a thread, a large one as it is") {
  Roofs small({80, 0, false}, 2);
  Roofs large({1 << 20, 0, false}, 1);
  small.move();
  small.compute();
  // whole passes over the set
  CHECK(std::fmod(small.bytes(), 2 * (16 << 10)) == 0);
  CHECK(std::fmod(large.bytes(), 1 << 20) == 0);
  CHECK(small.flops() == 2 * Roofs({80, 0, false}, 1).flops());
}

TEST_CASE("a walk in place moves three bytes for two that it lies in, and changes nothing") {
  InPlaceSet set(1 << 16, 2);
  set.run(3);
  CHECK(set.bytes_moved() == 1.5 * (1 << 16));
  CHECK(set.error() == 0);
  Roofs roofs({1 << 16, 0.4, true}, 2);
  CHECK(std::fmod(roofs.bytes(), 1.5 * (1 << 16)) == 0);
  CHECK(Traffic{0, 0.4, true}.walk() == "triad in place");
  CHECK(Traffic{0, 0.4, false}.walk() == "triad");
}

TEST_CASE("calls are doubled until a sample is long enough") {
  std::vector<std::int64_t> asked;
  const auto calls = calls_that_fill_a_sample([&](std::int64_t count) {
    asked.push_back(count);
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds{50 * count};
    while (std::chrono::steady_clock::now() < end) continue;
  });
  CHECK(calls >= 1);
  CHECK(calls <= 8);  // 8 x 50 us is more than 300 us, however slow the machine
  CHECK(asked.back() == calls);
}
