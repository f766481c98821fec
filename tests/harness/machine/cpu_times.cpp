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

TEST_CASE("CPU times are summed over the CPUs asked for") {
  const auto times = parse_cpu_times(proc_stat);
  const std::array chosen{0, 1, 5};  // 5 does not exist
  CHECK(sum(times, chosen) == CpuTimes{30, 3, 300, 3000, 33, 6, 9, 12});
  CHECK(sum(times).user == 31);
}

TEST_CASE("the share of steal is of the time that passed") {
  CpuTimes before{.user = 100, .idle = 50, .steal = 10};
  CpuTimes after{.user = 130, .idle = 110, .steal = 20};
  CHECK(steal_share(before, after).value() == Approx(0.1));
  CHECK_FALSE(steal_share(before, before));
  CHECK_FALSE(steal_share(after, before));  // a counter that went back tells nothing
}

TEST_CASE("this machine's CPU times can be read and only grow") {
  const auto before = sum(cpu_times());
  const auto after = sum(cpu_times());
  CHECK(before.total() > 0);
  CHECK(after.total() >= before.total());
}
