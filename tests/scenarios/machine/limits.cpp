#include "scenarios/machine/limits.hpp"

#include "tests/catch.hpp"

using namespace assay::scenarios::machine;

TEST_CASE("the share of a product is that of the measured multiply-add rate, repetition by repetition") {
  // A Zen 4: 3.7 GHz, 16 lanes x 2 a cycle and one such unit give 118.4 GFLOP/s a core.
  const auto limits = peak_limits({{3.7, 3.6, 3.7}, {118.4, 115.2, 118.4}, {106.56, 103.68, 59.2}}, 32);
  CHECK(limits.multiply_add_units == Approx(1));
  CHECK(limits.matmul_share == Approx(0.9));
}

TEST_CASE("a core with two units keeps both busy") {
  CHECK(peak_limits({{2}, {126}, {96}}, 32).multiply_add_units == Approx(126.0 / 64));
}

TEST_CASE("a repetition that was disturbed moves no limit") {
  const auto limits = peak_limits({{2, 0.2, 2}, {120, 120, 120}, {96, 96, 96}}, 32);
  CHECK(limits.multiply_add_units == Approx(120.0 / 64));
  CHECK(limits.matmul_share == Approx(0.8));
}

TEST_CASE("a clock that is not that of the rate gives more units than any core has") {
  const auto limits = peak_limits({{0.2, 0.2, 2}, {120, 120, 120}, {96, 96, 96}}, 32);
  CHECK(limits.multiply_add_units > max_units(64) * (1 + tolerance));
}

TEST_CASE("without a kernel there is no share of it") { CHECK(peak_limits({{2}, {120}, {}}, 32).matmul_share == 0); }
