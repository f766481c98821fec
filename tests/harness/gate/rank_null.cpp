#include "harness/gate/rank_null.hpp"

#include <cmath>
#include <stdexcept>

#include "harness/gate/stages.hpp"
#include "tests/catch.hpp"

using namespace assay::harness;

TEST_CASE("the counts of T after four rounds are those of the 1296 cases") {
  const std::vector<double> expected{1, 4, 14, 32, 65, 104, 150, 180, 196, 180, 150, 104, 65, 32, 14, 4, 1};
  CHECK(null_counts(4) == expected);
}

TEST_CASE("one round counts the six arrangements") {
  // Values 1 < 2 < 3 < 4 in every arrangement of two baseline (A) and two candidate (B) slots: how often B lies above
  // A.
  std::vector<double> counts(5, 0.0);
  for (int first = 0; first < 4; ++first)
    for (int second = first + 1; second < 4; ++second) {
      int above = 0;
      for (const int b : {first, second})
        for (int a = 0; a < 4; ++a) above += a != first && a != second && b > a;
      ++counts[static_cast<std::size_t>(above)];
    }
  CHECK(null_counts(1) == counts);
}

TEST_CASE("tails of T at the looks") {
  CHECK(null_tail(4, 13) == Approx(51.0 / 1296).epsilon(1e-12));
  CHECK(null_tail(4, 14) == Approx(19.0 / 1296).epsilon(1e-12));
  CHECK(null_tail(8, 25) == Approx(15043 / std::pow(6, 8)).epsilon(1e-12));
  CHECK(null_tail(8, 26) == Approx(6411 / std::pow(6, 8)).epsilon(1e-12));
  CHECK(null_tail(16, 45) == Approx(0.007283).epsilon(1e-4));
  CHECK(null_tail(4, 0) == Approx(1));
  CHECK(null_tail(4, 17) == 0);
  CHECK_THROWS_AS(null_counts(0), std::domain_error);
}

TEST_CASE("the smallest crossing is the first that is rare enough") {
  CHECK(min_crossing(4, 0.05) == 13);
  CHECK(min_crossing(16, 0.01) == 45);
  CHECK(min_crossing(1, 0.01) == 5);  // 1 / 6 at best: never
}

TEST_CASE("stage 2 crosses where the whole gate stays at one percent") {
  const auto is = [](int benchmarks, int at_8, int at_16) {
    return confirming_counts(benchmarks) == ConfirmingCounts{at_8, at_16};
  };
  for (const int few : {1, 2, 3, 4}) CHECK(is(few, 24, 42));
  CHECK(is(5, 25, 42));
  CHECK(is(10, 26, 44));
  CHECK(is(20, 26, 45));
  CHECK(is(30, 27, 46));
  CHECK(is(50, 27, 47));
  CHECK(is(100, 28, 48));
  CHECK(is(200, 29, 49));
  CHECK_THROWS_AS(confirming_counts(0), std::domain_error);
}

TEST_CASE("the chance that some look is crossed") {
  CHECK(chance_of_crossing(std::vector<Look>{{4, 13}}) == Approx(51.0 / 1296).epsilon(1e-12));
  CHECK(chance_of_crossing(std::vector<Look>{{4, 17}, {8, 33}}) == 0);
  CHECK(chance_of_crossing(std::vector<Look>{{4, 0}, {8, 25}}) == Approx(1));
  // Round by round: T is 1 to 4 with 5 of 6, or 0 first (1 of 6) and then 1 to 4 (5 of 6).
  CHECK(chance_of_crossing(std::vector<Look>{{1, 1}, {2, 1}}) == Approx(35.0 / 36).epsilon(1e-12));
  CHECK(chance_of_crossing(default_looks()) == Approx(0.0472).epsilon(0.005));
  CHECK(chance_of_crossing(confirming_counts(20).looks()) == Approx(0.00995).epsilon(0.005));
}

TEST_CASE("a gate of twenty alarms with 0.94 percent for regressed alone, with twice that in either direction") {
  const auto bound = false_alarm_bound(20, default_looks(), confirming_counts(20));
  CHECK(bound.regressed == Approx(0.0094).epsilon(0.005));
  CHECK(bound.regressed_or_improved == 2 * bound.regressed);
  CHECK(false_alarm_bound(0, default_looks(), confirming_counts(1)).regressed == 0);
  CHECK(false_alarm_bound(100000, default_looks(), {0, 0}).regressed_or_improved == 1);
}

TEST_CASE("a settling run's bound follows from its own look, in either direction too") {
  const Look look = settling_look(24);
  const auto bound = false_alarm_bound(1, std::vector{look}, confirming_counts(1));
  CHECK(bound.regressed == Approx(null_tail(24, look.crossing) * chance_of_crossing(confirming_counts(1).looks())));
  CHECK(bound.regressed < 0.0005);  // 1 % of stage 1, 5 % of stage 2
  CHECK(bound.regressed_or_improved == 2 * bound.regressed);
}
