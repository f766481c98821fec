#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "harness/gate/calibration.hpp"
#include "harness/gate/stages.hpp"
#include "harness/stats/proportion.hpp"

// The whole procedure, run on a machine that is not there. A Machine has begin_benchmark(), which says with which
// preset the next benchmark is gated, and round(slower), the four samples of one round with the candidate so much
// slower.
namespace assay::tests {

using namespace assay::harness;

struct Found {
  bool slow = false, fast = false, same = false;
};

template <class Machine>
Found one_benchmark(Machine& machine, const ConfirmingCounts& counts, double slower,
                    std::span<const Look> looks = default_looks()) {
  const Preset preset = machine.begin_benchmark();
  std::vector<GateRound> first, second;
  Found found;
  StageOne one = StageOne::open;
  while (one == StageOne::open) {
    first.push_back(machine.round(slower));
    one = stage_one(first, preset, false, looks).result;
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
  return found;
}

/// Of so many gates in which nothing changed, those that called something regressed, and regressed or improved.
struct FalseAlarms {
  Proportion regressed, regressed_or_improved;
};

template <class Machine>
FalseAlarms false_alarms(Machine machine, int gates, std::span<const Look> looks = default_looks()) {
  const auto counts = confirming_counts(benchmarks_of_a_gate);
  int slow = 0, changed = 0;
  for (int gate = 0; gate < gates; ++gate) {
    bool any_slow = false, any = false;
    for (int one = 0; one < benchmarks_of_a_gate; ++one) {
      const Found found = one_benchmark(machine, counts, 0, looks);
      any_slow = any_slow || found.slow;
      any = any || found.slow || found.fast;
    }
    slow += any_slow;
    changed += any;
  }
  return {proportion(slow, gates), proportion(changed, gates)};
}

template <class Machine>
Proportion found_slower(Machine machine, double slower, int tries) {
  const auto counts = confirming_counts(benchmarks_of_a_gate);
  int found = 0;
  for (int one = 0; one < tries; ++one) found += one_benchmark(machine, counts, slower).slow;
  return proportion(found, tries);
}

}  // namespace assay::tests
