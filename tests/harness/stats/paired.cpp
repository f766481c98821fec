#include "harness/stats/paired.hpp"

#include <array>

#include "tests/catch.hpp"

using namespace assay::harness;

TEST_CASE("accuracies that differ by rounding alone do not differ") {
  const std::array<double, 1> summed{0.1 + 0.2}, written{0.3};
  REQUIRE(summed != written);
  CHECK(pair(Form::difference, summed, written).effect == 0);
}

TEST_CASE("differences that cancel but for their rounding have a median of 0") {
  const std::array<double, 2> baseline{0.933, 0.9071}, candidate{0.9337, 0.9064};
  REQUIRE((candidate[0] - baseline[0]) + (candidate[1] - baseline[1]) != 0);
  CHECK(pair(Form::difference, baseline, candidate).effect == 0);
}

TEST_CASE("a difference of one row in a million stays") {
  const std::array<double, 1> baseline{0.999999}, candidate{1};
  CHECK(pair(Form::difference, baseline, candidate).effect == Approx(1e-6));
}
