#include "harness/stats/verdict.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "harness/stats/power.hpp"
#include "tests/catch.hpp"

using namespace assay::harness;

namespace {
const std::vector<double> kOnes(6, 1.0);
Judgement judged(const std::vector<double>& candidate, double margin = 0.05, const std::string& better = "lower") {
  return judge(pair(Form::ratio, kOnes, candidate), margin, better);
}
}  // namespace

TEST_CASE("ratio: the median of log ratios, so that it inverts") {
  const std::vector<double> a{1, 2, 4, 8, 16, 32}, b{2, 2, 16, 8, 128, 32};
  const Paired there = pair(Form::ratio, a, b), back = pair(Form::ratio, b, a);
  CHECK(shown(Form::ratio, there.effect) == Approx(std::sqrt(2.0)));  // ratios 2 1 4 1 8 1: middle ones 1 and 2
  CHECK(shown(Form::ratio, back.effect) == Approx(1 / std::sqrt(2.0)));
  REQUIRE(there.interval);
  CHECK(shown(Form::ratio, there.interval->low) == Approx(1));
  CHECK(shown(Form::ratio, there.interval->high) == Approx(8));
}

TEST_CASE("difference: of each pair, not of the medians") {
  const Paired paired = pair(Form::difference, std::vector<double>{1, 5, 9}, std::vector<double>{9, 6, 12});
  CHECK(paired.effect == 3);
  CHECK_FALSE(paired.interval);
}

TEST_CASE("pairs that cannot be formed are refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(pair(Form::ratio, std::vector<double>{1, 2}, std::vector<double>{1}), std::domain_error);
  CHECK_THROWS_AS(pair(Form::ratio, std::vector<double>{}, std::vector<double>{}), std::domain_error);
  CHECK_THROWS_AS(pair(Form::ratio, std::vector<double>{0}, std::vector<double>{1}), std::domain_error);
  CHECK_THROWS_AS(pair(Form::ratio, std::vector<double>{1}, std::vector<double>{-1}), std::domain_error);
  CHECK_THROWS_AS(pair(Form::difference, std::vector<double>{nan}, std::vector<double>{1}), std::domain_error);
  CHECK_THROWS_AS(pair(Form::difference, std::vector<double>{-1.7e308}, std::vector<double>{1.7e308}),
                  std::domain_error);
  const Paired extreme = pair(Form::ratio, std::vector<double>{1e-300}, std::vector<double>{1e300});
  CHECK_THROWS_AS(shown(Form::ratio, extreme.effect), std::domain_error);
  CHECK_THROWS_AS(form_of("quotient"), std::invalid_argument);
}

TEST_CASE("verdicts follow the better direction") {
  const std::vector<double> slower{1.1, 1.12, 1.2, 1.15, 1.11, 1.3}, faster{0.9, 0.8, 0.7, 0.85, 0.91, 0.92};
  CHECK(judged(slower).verdict == Verdict::regressed);
  CHECK(judged(faster).verdict == Verdict::improved);
  CHECK(judged(slower, 0.05, "higher").verdict == Verdict::improved);
  CHECK(judged(faster, 0.05, "higher").verdict == Verdict::regressed);
  const Judgement neither = judged(slower, 0.05, "");
  CHECK(neither.verdict == Verdict::undecided);
  CHECK_FALSE(neither.reason.empty());
}

TEST_CASE("a certain difference inside the margin is the same") {
  CHECK(judged({1.01, 1.02, 1.03, 1.02, 1.02, 1.04}).verdict == Verdict::same);
  CHECK(judged({1.01, 1.02, 1.03, 1.02, 1.02, 1.06}).verdict == Verdict::regressed);
  CHECK(judged({0.953, 1, 1, 1, 1, 1}).verdict == Verdict::same);  // 1 / 1.05 = 0.9524: the margin is even in logs
  CHECK(judged({0.951, 1, 1, 1, 1, 1}).verdict == Verdict::undecided);
}

TEST_CASE("undecided says its minimum detectable effect and what would settle it") {
  const Judgement open = judged({0.9, 1.0, 1.0, 1.0, 1.0, 1.1});
  REQUIRE(open.verdict == Verdict::undecided);
  REQUIRE(open.minimum_detectable_effect);
  const double h = (std::log(1.1) - std::log(0.9)) / 2;
  CHECK(*open.minimum_detectable_effect == Approx(std::exp(power_factor(6) * h) - 1));
  REQUIRE(open.rounds_to_settle);  // effect 0, so the margin is what can be reached
  CHECK(*open.rounds_to_settle == std::ceil(6 * std::pow(power_factor(6) * h / std::log(1.05), 2)));
}

TEST_CASE("where more rounds would not settle it, it says so") {
  const Judgement open = judged({0.3, 1.0, 1.0, 1.0, 1.0, 3.0});
  CHECK(open.verdict == Verdict::undecided);
  CHECK_FALSE(open.rounds_to_settle);
  CHECK(open.reason.find("not here") == 0);
  const Judgement hopeless = judged({0.9, 1.0, 1.0, 1.0, 1.0, 1.1}, 0);
  CHECK_FALSE(hopeless.rounds_to_settle);
  CHECK(hopeless.reason.find("not here") == 0);
}

TEST_CASE("too few samples: undecided with the number needed") {
  const Judgement one = judge(pair(Form::ratio, std::vector<double>{1}, std::vector<double>{9}), 0.05, "lower");
  CHECK(one.verdict == Verdict::undecided);
  CHECK(one.reason == "1 sample: an interval needs at least 6");
  CHECK_FALSE(one.minimum_detectable_effect);
}

TEST_CASE("an exact pair is judged by its one number") {
  const auto exact = [](double candidate) {
    return judge_exact(pair(Form::ratio, std::vector<double>{282}, std::vector<double>{candidate}), 0, "lower").verdict;
  };
  CHECK(exact(141) == Verdict::improved);
  CHECK(exact(282) == Verdict::same);
  CHECK(exact(283) == Verdict::regressed);
}

// Normal quantiles from tables: 6 rounds, q = 1 - 0.8^(1/6) = 0.03651, z = 1.7929; score of rank 6 (5.625 / 6.25 =
// 0.9): 1.2816.
TEST_CASE("power factor against a closed form and its limit") {
  CHECK(power_factor(6) == Approx(1.7929 / 1.2816).epsilon(1e-3));
  CHECK(power_factor(10000) == Approx((1.95996 + 0.84162) / 1.95996).epsilon(0.01));
  CHECK_THROWS_AS(power_factor(5), std::domain_error);
}

// Half width 0.1 and effect 0.01: the margin 0.05 is 0.04 away, zero only 0.01; with effect 0.04 zero is the farther
// one.
TEST_CASE("rounds follow the farther of the two ends") {
  const double c = power_factor(6);
  CHECK(rounds_to_settle({-0.09, 0.11, 0.96875}, 6, 0.01, 0.05) == std::ceil(6 * std::pow(c * 0.1 / 0.04, 2)));
  CHECK(rounds_to_settle({-0.06, 0.14, 0.96875}, 6, 0.04, 0.05) == std::ceil(6 * std::pow(c * 0.1 / 0.04, 2)));
  CHECK(rounds_to_settle({-0.06, 0.14, 0.96875}, 6, 0.08, 0.05) == std::ceil(6 * std::pow(c * 0.1 / 0.08, 2)));
}
