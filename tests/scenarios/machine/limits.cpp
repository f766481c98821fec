#include "scenarios/machine/limits.hpp"

#include "tests/catch.hpp"

using namespace assay::scenarios::machine;

TEST_CASE("the limits of a machine follow from its clock, repetition by repetition") {
  // 2 GHz x 16 lanes x 2 = 64 GFLOP/s a unit, two units a core
  const auto limits = peak_limits({{2, 2.5, 2}, {120, 160, 126}, {96, 100, 64}}, 32, 2);
  CHECK(limits.theoretical_peak == Approx(128));
  CHECK(limits.multiply_add_units == Approx(126.0 / 64));
  CHECK(limits.multiply_add_share == Approx(126.0 / 128));
  CHECK(limits.matmul_share == Approx(0.625));  // 96/128, 100/160, 64/128
}

TEST_CASE("a repetition that was disturbed moves no limit") {
  const auto limits = peak_limits({{2, 0.2, 2}, {120, 120, 120}, {96, 96, 96}}, 32, 2);
  CHECK(limits.theoretical_peak == Approx(128));
  CHECK(limits.matmul_share == Approx(0.75));
}

TEST_CASE("a clock that is not that of the rate gives an impossible share") {
  const auto limits = peak_limits({{0.2, 0.2, 2}, {120, 120, 120}, {96, 96, 96}}, 32, 2);
  CHECK(limits.matmul_share > 1 + share_tolerance);
  CHECK(limits.multiply_add_share > 1 + share_tolerance);
}

TEST_CASE("without a kernel there is no share of it") { CHECK(peak_limits({{2}, {120}, {}}, 32, 2).matmul_share == 0); }
