#include "harness/gate/stages.hpp"

#include <cmath>

#include "tests/catch.hpp"

using namespace assay::harness;

namespace {

const Preset usual{0.03, 0.05};
constexpr int spared_at_4 = 3;

// A, A' | B, B
const std::vector<GateRound> slow{
    {100, 100, 106, 105}, {100, 102, 107, 106}, {101, 100, 105, 106}, {100, 140, 106, 108}};
const std::vector<GateRound> unchanged{
    {100, 100, 100, 101}, {100, 101, 101, 100}, {99, 100, 100, 99}, {100, 100, 100, 150}};
const std::vector<GateRound> below_floor{
    {100, 100, 102, 102}, {100, 101, 102, 103}, {100, 100, 102, 102}, {101, 100, 103, 102}};

std::vector<GateRound> times(const std::vector<GateRound>& rounds, int count) {
  std::vector<GateRound> result;
  for (int i = 0; i < count; ++i) result.insert(result.end(), rounds.begin(), rounds.end());
  return result;
}

std::vector<GateRound> swapped(std::vector<GateRound> rounds) {
  for (auto& round : rounds) round = {round.b1, round.b2, round.a, round.null_a};
  return rounds;
}

}  // namespace

TEST_CASE("five percent slower is a candidate although one baseline copy is forty percent slow") {
  const auto statistic = statistic_of(slow, false);
  CHECK(statistic.positives == 14);
  CHECK(null_tail(4, statistic.positives) == Approx(19.0 / 1296));
  CHECK(std::exp(statistic.effect) == Approx(1.05).epsilon(1e-4));
  CHECK(std::exp(statistic.low(spared_at_4)) == Approx(1.0396).epsilon(1e-4));
  CHECK(std::exp(statistic.high(spared_at_4)) == Approx(1.06).epsilon(1e-4));
  CHECK(stage_one(slow, usual, false).result == StageOne::candidate_slow);
  CHECK(stage_one(swapped(slow), usual, false).result == StageOne::candidate_fast);
}

TEST_CASE("two spoiled baseline samples make it go on") {
  auto rounds = slow;
  rounds[3].a = 130;
  const auto statistic = statistic_of(rounds, false);
  CHECK(statistic.positives == 12);
  CHECK(std::exp(statistic.low(spared_at_4)) == Approx(0.8308).epsilon(1e-4));
  CHECK(std::exp(statistic.high(spared_at_4)) == Approx(1.06).epsilon(1e-4));
  const auto looked = stage_one(rounds, usual, false);
  CHECK(looked.result == StageOne::open);
  CHECK(looked.rounds == 4);
}

TEST_CASE("no change is the same although one candidate sample is fifty percent slow") {
  const auto statistic = statistic_of(unchanged, false);
  CHECK(statistic.positives == 6);
  CHECK(std::exp(statistic.effect) == Approx(1.0));
  CHECK(std::exp(statistic.low(spared_at_4)) == Approx(1.0));
  CHECK(std::exp(statistic.high(spared_at_4)) == Approx(1.01).epsilon(1e-4));
  CHECK(statistic.at_least(usual.log_margin()) == 2);
  CHECK(statistic.at_most(-usual.log_margin()) == 0);
  CHECK(stage_one(unchanged, usual, false).result == StageOne::same);
}

TEST_CASE("a real change below the floor is the same") {
  const auto statistic = statistic_of(below_floor, false);
  CHECK(statistic.positives == 16);
  CHECK(std::exp(statistic.effect) == Approx(1.02).epsilon(1e-4));
  CHECK(std::exp(statistic.low(spared_at_4)) == Approx(1.0198).epsilon(1e-4));
  CHECK(std::exp(statistic.high(spared_at_4)) == Approx(1.02).epsilon(1e-4));
  CHECK(stage_one(below_floor, usual, false).result == StageOne::same);
}

TEST_CASE("where more is better a lower rate is slow") {
  CHECK(stage_one(slow, usual, true).result == StageOne::candidate_fast);
  CHECK(stage_one(swapped(slow), usual, true).result == StageOne::candidate_slow);
}

TEST_CASE("the first look that decides ends stage 1") {
  auto rounds = unchanged;
  for (const auto& round : times(slow, 3)) rounds.push_back(round);
  CHECK(stage_one(rounds, usual, false).result == StageOne::same);
  CHECK(stage_one(rounds, usual, false).rounds == 4);
  CHECK(stage_one(std::vector(rounds.begin(), rounds.begin() + 3), usual, false).result == StageOne::open);
}

TEST_CASE("what no look decides is undecided after the last") {
  // Half of the rounds 20 % slower, half 20 % faster: no sign prevails and the interval is wide.
  const std::vector<GateRound> wild{
      {100, 100, 120, 120}, {120, 120, 100, 100}, {100, 100, 120, 120}, {120, 120, 100, 100}};
  CHECK(stage_one(times(wild, 2), usual, false).result == StageOne::open);
  const auto looked = stage_one(times(wild, 4), usual, false);
  CHECK(looked.result == StageOne::undecided);
  CHECK(looked.rounds == 16);
  CHECK(looked.spared == 19);
}

TEST_CASE("stage 2 confirms with its own counts") {
  const auto counts = confirming_counts(20);  // 26 at 8, 45 at 16
  CHECK(stage_two(slow, usual, false, true, counts).result == StageTwo::open);
  CHECK(stage_two(times(slow, 2), usual, false, true, counts).result == StageTwo::confirmed);  // T = 28
  CHECK(stage_two(times(slow, 2), usual, false, true, {29, 56}).result == StageTwo::open);
  CHECK(stage_two(times(slow, 4), usual, false, true, {29, 56}).result == StageTwo::confirmed);  // T = 56
  CHECK(stage_two(times(swapped(slow), 2), usual, false, false, counts).result == StageTwo::confirmed);
  CHECK(stage_two(times(slow, 4), usual, false, false, counts).result == StageTwo::undecided);  // never the other way
}

TEST_CASE("stage 2 clears what is the same") {
  const auto counts = confirming_counts(20);
  CHECK(stage_two(times(unchanged, 2), usual, false, true, counts).result == StageTwo::same);
  // 4 % lies inside the margin and above the floor: too near to be cleared after 8 rounds, with a crossing out of
  // reach.
  const std::vector<GateRound> near{
      {100, 100, 104, 104}, {100, 100, 104, 104}, {100, 100, 104, 104}, {100, 100, 104, 104}};
  CHECK(stage_two(times(near, 2), usual, false, true, {33, 65}).result == StageTwo::open);
  CHECK(stage_two(times(near, 4), usual, false, true, {33, 65}).result == StageTwo::same);
}

TEST_CASE("a settling run has one look") {
  const auto look = settling_look(24);
  CHECK(null_tail(24, look.crossing) <= 0.01);
  CHECK(null_tail(24, look.crossing - 1) > 0.01);
  const std::vector looks{look};
  CHECK(stage_one(times(slow, 4), usual, false, looks).result == StageOne::open);
  CHECK(stage_one(times(slow, 6), usual, false, looks).result == StageOne::candidate_slow);
}

TEST_CASE("samples that give no ratio are refused") {
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    CHECK_THROWS_AS(statistic_of(std::vector<GateRound>{{100, 100, bad, 100}}, false), std::domain_error);
    CHECK_THROWS_AS(statistic_of(std::vector<GateRound>{{bad, bad, bad, bad}}, false), std::domain_error);
    CHECK_THROWS_AS(null_differences(std::vector<GateRound>{{bad, 100, 100, 100}}, false), std::domain_error);
  }
  CHECK_THROWS_AS(statistic_of({}, false), std::domain_error);
}
