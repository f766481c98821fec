#include "harness/gate/stages.hpp"

#include <array>
#include <cmath>

namespace assay::harness {
namespace {

constexpr std::array<Look, 3> looks_of_stage_one{{{4, 13}, {8, 25}, {16, 45}}};
constexpr double settling_chance = 0.01;

/// Whether the interval lies inside the margin.
bool inside(const GateStatistic& statistic, double margin, int spared) {
  return statistic.at_least(margin) <= spared && statistic.at_most(-margin) <= spared;
}

}  // namespace

std::span<const Look> default_looks() { return looks_of_stage_one; }

Look settling_look(int rounds) { return {rounds, min_crossing(rounds, settling_chance)}; }

StageResult<StageOne> stage_one(std::span<const GateRound> rounds, const Preset& preset, bool higher,
                                std::span<const Look> looks) {
  StageResult<StageOne> last{StageOne::open, 0, 0};
  for (const Look& look : looks) {
    if (std::ssize(rounds) < look.rounds) return last;
    const GateStatistic statistic = statistic_of(rounds.first(static_cast<std::size_t>(look.rounds)), higher);
    last = {StageOne::open, look.rounds, look.spared()};
    const auto decided = [&](StageOne result) { return StageResult<StageOne>{result, look.rounds, look.spared()}; };
    if (statistic.positives >= look.crossing && statistic.effect > preset.log_floor())
      return decided(StageOne::candidate_slow);
    if (statistic.negatives >= look.crossing && statistic.effect < -preset.log_floor())
      return decided(StageOne::candidate_fast);
    if (inside(statistic, preset.log_margin(), look.spared())) return decided(StageOne::same);
  }
  last.result = StageOne::undecided;
  return last;
}

StageResult<StageTwo> stage_two(std::span<const GateRound> rounds, const Preset& preset, bool higher, bool slow,
                                const ConfirmingCounts& counts) {
  StageResult<StageTwo> last{StageTwo::open, 0, 0};
  constexpr std::array<int, 2> spared{7, 19};  // of the interval at the two looks
  const auto looks = counts.looks();
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const Look& look = looks[i];
    if (std::ssize(rounds) < look.rounds) return last;
    const GateStatistic statistic = statistic_of(rounds.first(static_cast<std::size_t>(look.rounds)), higher);
    last = {StageTwo::open, look.rounds, spared[i]};
    const double effect = slow ? statistic.effect : -statistic.effect;
    if ((slow ? statistic.positives : statistic.negatives) >= look.crossing && effect > preset.log_floor())
      return {StageTwo::confirmed, look.rounds, spared[i]};
    const bool near = i + 1 == looks.size() || std::abs(statistic.effect) <= preset.log_floor();
    if (near && inside(statistic, preset.log_margin(), spared[i])) return {StageTwo::same, look.rounds, spared[i]};
  }
  last.result = StageTwo::undecided;
  return last;
}

}  // namespace assay::harness
