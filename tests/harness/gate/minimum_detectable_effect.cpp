#include "harness/gate/minimum_detectable_effect.hpp"

#include <cmath>

#include "tests/catch.hpp"

using namespace assay::harness;

namespace {
const Preset usual{0.03, 0.05};
const double g = std::log(1.05);
}  // namespace

TEST_CASE("the minimum detectable effect is never below the floor") {
  CHECK(minimum_detectable_effect(0.001, usual) == 0.03);
  CHECK(minimum_detectable_effect(0.05, usual) == Approx(std::exp(0.067) - 1));
}

TEST_CASE("rounds that settle an effect of nothing shrink the interval into the margin") {
  // r = 16 (h / g)^2 with h = 1.2 g: 23.04, half as many again 34.56, up to 36
  CHECK(rounds_to_settle(16, 0, 1.2 * g, usual).rounds == 36);
  CHECK(rounds_to_settle(16, 0, 0.001, usual).rounds == 4);
}

TEST_CASE("of two ways the nearer one settles") {
  // e = 4 %: to the margin g - e = 0.00957, to no change 0.0392; h = 0.04: (0.04 / 0.0392)^2 x 16 x 1.5 = 24.97
  CHECK(rounds_to_settle(16, std::log(1.04), 0.04, usual).rounds == 28);
  // e = 2 % lies below the floor: only the margin counts, (0.04 / 0.02899)^2 x 16 x 1.5 = 45.7
  CHECK(rounds_to_settle(16, std::log(1.02), 0.04, usual).rounds == 48);
}

TEST_CASE("too many rounds become a factor of noise") {
  const auto settling = rounds_to_settle(16, 0, 3 * g, usual);  // 1.5 x 144 = 216
  CHECK_FALSE(settling.rounds);
  CHECK(settling.noise_must_fall_by == Approx(std::sqrt(216.0 / 64)));
}
