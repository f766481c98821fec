#pragma once
#include <span>
#include <vector>

#include "harness/gate/gate_statistic.hpp"
#include "harness/gate/preset.hpp"
#include "harness/gate/rank_null.hpp"

namespace assay::harness {

/// 4, 8 and 16 rounds.
std::span<const Look> default_looks();

/// A settling run: one look after a number of rounds that is fixed in advance, with a chance of at most 1 %.
Look settling_look(int rounds);

enum class StageOne { open, candidate_slow, candidate_fast, same, undecided };
enum class StageTwo { open, confirmed, same, undecided };

/// What a stage says, and the look that said it (the last one reached where it is open; 0 rounds before the first).
template <class Result>
struct StageResult {
  Result result{};
  int rounds = 0, spared = 0;
};

/// Stage 1 from the rounds so far: the first look that decides ends it, later rounds do not change it. `open` while the
/// next look is not reached.
StageResult<StageOne> stage_one(std::span<const GateRound> rounds, const Preset& preset, bool higher,
                                std::span<const Look> looks = default_looks());

/// Stage 2 of a candidate, from its own rounds alone: `slow` says which way it must be confirmed.
StageResult<StageTwo> stage_two(std::span<const GateRound> rounds, const Preset& preset, bool higher, bool slow,
                                const ConfirmingCounts& counts);

inline constexpr int stage_two_rounds = 16;

}  // namespace assay::harness
