// The whole procedure against made-up noise, drawn with a fixed seed: what docs/gate.md promises of it.
#include <array>
#include <cmath>
#include <random>

#include "harness/gate/null_control.hpp"
#include "harness/gate/stages.hpp"
#include "harness/stats/median.hpp"
#include "harness/stats/proportion.hpp"
#include "tests/catch.hpp"

using namespace assay::harness;

namespace {

constexpr int benchmarks = 20;

/// A machine as shared ones are: every process keeps an offset, repetitions scatter by 1.5 %, the machine drifts by 5
/// %, one process in twenty is slowed by 10 to 60 %, and a fifth of the benchmarks has two memory layouts 4 % apart.
class Machine {
 public:
  Machine(double offset, std::uint64_t seed) : offset_(offset), random_(seed) {}

  void begin_benchmark() {
    two_layouts_ = uniform() < 0.2;
    phase_ = uniform() * 6.28;
    position_ = 0;
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
  bool two_layouts_ = false;
  int position_ = 0;
  std::mt19937_64 random_;
  std::normal_distribution<double> gauss_;
};

struct Found {
  bool slow = false, fast = false, same = false;
  int processes = 0;
};

Found one_benchmark(Machine& machine, const Preset& preset, const ConfirmingCounts& counts, double slower) {
  machine.begin_benchmark();
  std::vector<GateRound> first, second;
  Found found;
  StageOne one = StageOne::open;
  while (one == StageOne::open) {
    first.push_back(machine.round(slower));
    one = stage_one(first, preset, false).result;
  }
  found.same = one == StageOne::same;
  if (one == StageOne::candidate_slow || one == StageOne::candidate_fast) {
    const bool slow = one == StageOne::candidate_slow;
    StageTwo two = StageTwo::open;
    while (two == StageTwo::open) {
      second.push_back(machine.round(slower));
      two = stage_two(second, preset, false, slow, counts).result;
    }
    found.slow = slow && two == StageTwo::confirmed;
    found.fast = !slow && two == StageTwo::confirmed;
    found.same = two == StageTwo::same;
  }
  found.processes = 4 * static_cast<int>(first.size() + second.size());
  return found;
}

/// Of so many gates, those in which nothing changed and something was called regressed.
Proportion false_alarms(double offset, const Preset& preset, int gates, std::uint64_t seed) {
  Machine machine(offset, seed);
  const auto counts = confirming_counts(benchmarks);
  int alarms = 0;
  for (int gate = 0; gate < gates; ++gate) {
    bool alarm = false;
    for (int one = 0; one < benchmarks; ++one) {
      const Found found = one_benchmark(machine, preset, counts, 0);
      alarm = alarm || found.slow || found.fast;
    }
    alarms += alarm;
  }
  return proportion(alarms, gates);
}

Proportion found_slower(double slower, double offset, const Preset& preset, int tries, std::uint64_t seed) {
  Machine machine(offset, seed);
  const auto counts = confirming_counts(benchmarks);
  int found = 0;
  for (int one = 0; one < tries; ++one) found += one_benchmark(machine, preset, counts, slower).slow;
  return proportion(found, tries);
}

constexpr Preset usual{0.03, 0.05};

}  // namespace

TEST_CASE("the gate raises a false alarm in at most one run of a hundred") {
  CHECK(false_alarms(0.01, usual, 1500, 1).high < 0.01);
  CHECK(false_alarms(0.03, usual, 1500, 2).high < 0.01);  // far noisier than the preset is meant for
}

TEST_CASE("the gate finds ten percent in 95 of 100 and five percent in 80 of 100") {
  CHECK(found_slower(0.10, 0.01, usual, 1000, 3).low > 0.95);
  CHECK(found_slower(0.05, 0.01, usual, 1000, 4).low > 0.80);
}

TEST_CASE("the gate rarely takes a real five percent for the same, and a coarse preset leaves it alone") {
  CHECK(found_slower(0.05, 0.01, {0.10, 0.15}, 500, 5).high < 0.02);
  CHECK(found_slower(0.20, 0.01, {0.10, 0.15}, 500, 6).low > 0.95);
}

TEST_CASE("the null control alarms in at most two gates of a thousand where nothing is wrong") {
  Machine machine(0.01, 7);
  int alarms = 0;
  constexpr int gates = 2000;
  for (int gate = 0; gate < gates; ++gate) {
    std::vector<GateRound> rounds;
    machine.begin_benchmark();
    for (int round = 0; round < 80; ++round) rounds.push_back(machine.round(0));
    alarms += control_of_gate(null_differences(rounds, false)).alarm;
  }
  CHECK(proportion(alarms, gates).low < 0.001);
}

TEST_CASE("the null control sees a copy that is three percent off") {
  Machine machine(0.01, 8);
  int alarms = 0;
  constexpr int gates = 200;
  for (int gate = 0; gate < gates; ++gate) {
    std::vector<GateRound> rounds;
    machine.begin_benchmark();
    for (int round = 0; round < 80; ++round) {
      rounds.push_back(machine.round(0));
      rounds.back().null_a *= 1.03;
    }
    alarms += control_of_gate(null_differences(rounds, false)).alarm;
  }
  CHECK(proportion(alarms, gates).low > 0.95);
}
