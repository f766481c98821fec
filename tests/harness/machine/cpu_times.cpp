#include "harness/machine/cpu_times.hpp"

#include <array>

#include "tests/catch.hpp"

using namespace assay::harness;

namespace {
// two CPUs; the third has the seven columns of a kernel before 2.6.11
constexpr auto proc_stat = R"(cpu  30 3 300 3000 33 6 9 12 0 0
cpu0 10 1 100 1000 11 2 3 4 5 6
cpu1 20 2 200 2000 22 4 6 8 0 0
cpu7 1 2 3 4 5 6 7
intr 1 2 3
ctxt 99
)";
}  // namespace

TEST_CASE("CPU times are read by column and by CPU") {
  const auto times = parse_cpu_times(proc_stat);
  REQUIRE(times.size() == 3);
  CHECK(times.at(0) == CpuTimes{10, 1, 100, 1000, 11, 2, 3, 4});
  CHECK(times.at(1).steal == 8);
  CHECK(times.at(7) == CpuTimes{1, 2, 3, 4, 5, 6, 7, 0});
  CHECK(times.at(0).total() == 1131);  // guest time is in user already
}

TEST_CASE("lines and numbers that no kernel of today writes are left out") {
  const auto times =
      parse_cpu_times("cpu-1 1 2 3\ncpufreq 1\ncpu99999999999 1\ncpu3 -5 x 18446744073709551615\ncpu4\n");
  REQUIRE(times.size() == 2);
  CHECK(times.at(3) == CpuTimes{.system = 18446744073709551615U});
  CHECK(times.at(4) == CpuTimes{});
}

TEST_CASE("what passed is summed over the CPUs asked for") {
  const CpuTimesByCpu before{{0, {.user = 10, .idle = 100}}, {1, {.user = 20, .idle = 200}}};
  const CpuTimesByCpu after{{0, {.user = 11, .idle = 103}}, {1, {.user = 25, .idle = 207}}};
  CHECK(elapsed(before, after) == CpuTimes{.user = 6, .idle = 10});
  const std::array chosen{1, 5};  // 5 does not exist
  CHECK(elapsed(before, after, chosen) == CpuTimes{.user = 5, .idle = 7});
}

TEST_CASE("a CPU that came or went between two readings is left out of both") {
  const CpuTimesByCpu before{{0, {.user = 10, .idle = 100}}, {1, {.user = 5000, .idle = 9000, .steal = 700}}};
  const CpuTimesByCpu after{{0, {.user = 13, .idle = 104}}, {2, {.user = 4000, .idle = 8000, .steal = 600}}};
  CHECK(elapsed(before, after) == CpuTimes{.user = 3, .idle = 4});
}

TEST_CASE("a column that fell counts as nothing, and the others count on") {
  const CpuTimesByCpu before{{0, {.user = 100, .idle = 500, .io_wait = 40, .steal = 9}}};
  const CpuTimesByCpu after{{0, {.user = 106, .idle = 499, .io_wait = 30, .steal = 11}}};
  const auto passed = elapsed(before, after);
  CHECK(passed == CpuTimes{.user = 6, .steal = 2});
  CHECK(steal_share(passed).value() == Approx(0.25));
  CHECK(busy_share(passed).value() == Approx(0.75));
}

TEST_CASE("shares are of the time that passed") {
  const CpuTimes passed{.user = 30, .idle = 50, .io_wait = 10, .steal = 10};
  CHECK(steal_share(passed).value() == Approx(0.1));
  CHECK(busy_share(passed).value() == Approx(0.3));
  CHECK_FALSE(steal_share({}));
  CHECK_FALSE(busy_share({}));
}

TEST_CASE("this machine's CPU times can be read") {
  const auto times = cpu_times();
  REQUIRE_FALSE(times.empty());
  CHECK(elapsed({}, times) == CpuTimes{});
}
