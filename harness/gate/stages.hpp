#pragma once
#include <span>
#include <vector>

#include "harness/gate/gate_statistic.hpp"
#include "harness/gate/preset.hpp"
#include "harness/gate/rank_null.hpp"

namespace assay::harness {

/// Looks after 4, 8 and 16 rounds.
std::span<const Look> default_looks();

/// The look of a settling run, after a number of rounds that is fixed in advance: unchanged benchmarks cross it with at
/// most 1 % in each direction.
Look settling_look(int rounds);

enum class StageOne { open, candidate_slow, candidate_fast, same, undecided };
enum class StageTwo { open, confirmed, same, undecided };

/// The result of a stage and the look that gave it; the last look that was reached if it is open, 0 rounds before the
/// first.
template <class Result>
struct StageResult {
  Result result{};
  int rounds = 0, spared = 0;
};

/// The result of stage 1 from the rounds so far. The first look that decides ends it; later rounds do not change it.
/// `open` until the next look is reached.
StageResult<StageOne> stage_one(std::span<const GateRound> rounds, const Preset& preset, bool higher,
                                std::span<const Look> looks = default_looks());

/// The result of stage 2 of a candidate, from its own rounds alone. `slow`: it must be confirmed as slower, else as
/// faster.
StageResult<StageTwo> stage_two(std::span<const GateRound> rounds, const Preset& preset, bool higher, bool slow,
                                const ConfirmingCounts& counts);

inline constexpr int stage_two_rounds = 16;

}  // namespace assay::harness
