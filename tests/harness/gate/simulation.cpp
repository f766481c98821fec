// The whole procedure against made-up noise, drawn with a fixed seed: what docs/gate.md promises of it.
#include <array>
#include <cmath>
#include <random>

#include "harness/gate/null_control.hpp"
#include "harness/stats/median.hpp"
#include "tests/catch.hpp"
#include "tests/harness/gate/simulated_gate.hpp"

using namespace assay::harness;
using assay::tests::false_alarms;
using assay::tests::FalseAlarms;
using assay::tests::found_slower;

namespace {

/// A machine as shared ones are: every process keeps an offset, repetitions scatter by 1.5 %, the machine drifts by 5
/// %, one process in twenty is slowed by 10 to 60 %, and a fifth of the benchmarks has two memory layouts 4 % apart.
class Machine {
 public:
  Machine(double offset, const Preset& preset, std::uint64_t seed) : offset_(offset), preset_(preset), random_(seed) {}

  Preset begin_benchmark() {
    two_layouts_ = uniform() < 0.2;
    phase_ = uniform() * 6.28;
    position_ = 0;
    return preset_;
  }

  GateRound round(double slower) {
    std::array<double, 4> order{0, 0, slower, slower};
    std::array<std::size_t, 4> slots{0, 1, 2, 3};
    std::shuffle(slots.begin(), slots.end(), random_);
    std::array<double, 4> samples{};
    for (const auto slot : slots) samples[slot] = process(order[slot]);
    return {samples[0], samples[1], samples[2], samples[3]};
  }

 private:
  double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  double normal() { return gauss_(random_); }

  double process(double slower) {
    double log_time = offset_ * normal() + 0.05 * std::sin(phase_ + 0.02 * position_++) + std::log1p(slower);
    if (uniform() < 0.05) log_time += std::log(1.1 + 0.5 * uniform());
    if (two_layouts_ && uniform() < 0.5) log_time += std::log(1.04);
    std::array<double, 3> repetitions{};
    for (double& one : repetitions) one = std::exp(log_time + 0.015 * normal());
    return median(repetitions);
  }

  double offset_, phase_ = 0;
  Preset preset_;
  bool two_layouts_ = false;
  int position_ = 0;
  std::mt19937_64 random_;
  std::normal_distribution<double> gauss_;
};

constexpr Preset usual{0.03, 0.05};

/// Of so many gates of 80 rounds, those whose control alarms where the baseline's copy is slower by a factor.
Proportion control_alarms(Machine machine, double copy, int gates) {
  int alarms = 0;
  for (int gate = 0; gate < gates; ++gate) {
    std::vector<GateRound> rounds;
    machine.begin_benchmark();
    for (int round = 0; round < 80; ++round) {
      rounds.push_back(machine.round(0));
      rounds.back().null_a *= copy;
    }
    alarms += control_of_gate(null_differences(rounds, false)).alarm;
  }
  return proportion(alarms, gates);
}

}  // namespace

TEST_CASE("where noise is about the floor, the gate raises a false alarm in at most one run of a hundred") {
  CHECK(false_alarms(Machine(0.01, usual, 1), 1500).regressed_or_improved.high < 0.01);
  CHECK(false_alarms(Machine(0.03, usual, 2), 1500).regressed_or_improved.high < 0.01);
}

// With noise that large, e is beyond the floor whenever T crosses, and nothing is ever the same: T alone decides, and
// its chances are exact. 20 independent benchmarks alarm with 1 - (1 - p)^20, a little below the bound 20 p.
void check_exact(const FalseAlarms& found, std::span<const Look> looks) {
  const auto bound = false_alarm_bound(20, looks, confirming_counts(20));
  const auto check = [](const Proportion& alarms, double sum) {
    const double expected = 1 - std::pow(1 - sum / 20, 20);
    CHECK(static_cast<double>(alarms.successes) / alarms.trials ==
          Approx(expected).margin(4 * std::sqrt(expected / alarms.trials)));
  };
  check(found.regressed, bound.regressed);
  check(found.regressed_or_improved, bound.regressed_or_improved);
  CHECK(found.regressed_or_improved.low > bound.regressed);  // the bound of regressed alone does not hold for both
}

TEST_CASE("where noise is far above the floor, each kind of false alarm comes as often as its bound says") {
  for (const double noise : {0.3, 1.0}) check_exact(false_alarms(Machine(noise, usual, 9), 4000), default_looks());
}

TEST_CASE("a settling run has its own bounds, and they are exact too") {
  const std::vector looks{settling_look(4)};
  check_exact(false_alarms(Machine(0.3, usual, 10), 20000, looks), looks);
}

TEST_CASE("the gate finds ten percent in 95 of 100 and five percent in 80 of 100") {
  CHECK(found_slower(Machine(0.01, usual, 3), 0.10, 1000).low > 0.95);
  CHECK(found_slower(Machine(0.01, usual, 4), 0.05, 1000).low > 0.80);
}

TEST_CASE("the gate rarely takes a real five percent for the same, and a coarse preset leaves it alone") {
  CHECK(found_slower(Machine(0.01, {0.10, 0.15}, 5), 0.05, 500).high < 0.02);
  CHECK(found_slower(Machine(0.01, {0.10, 0.15}, 6), 0.20, 500).low > 0.95);
}

TEST_CASE("the null control alarms in at most two gates of a thousand where nothing is wrong") {
  CHECK(control_alarms(Machine(0.01, usual, 7), 1, 2000).low < 0.001);
}

TEST_CASE("the null control sees a copy that is three percent off") {
  CHECK(control_alarms(Machine(0.01, usual, 8), 1.03, 200).low > 0.95);
}
