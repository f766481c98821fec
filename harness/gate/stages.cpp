#include "harness/gate/stages.hpp"

#include <array>
#include <cmath>

namespace assay::harness {
namespace {

constexpr std::array<LookOne, 3> looks_of_stage_one{{{4, 13}, {8, 25}, {16, 45}}};
constexpr double settling_chance = 0.01;

/// The interval lies inside the margin.
bool inside(const GateStatistic& statistic, double margin, int spared) {
  return statistic.at_least(margin) <= spared && statistic.at_most(-margin) <= spared;
}

}  // namespace

std::span<const LookOne> usual_looks() { return looks_of_stage_one; }

LookOne settling_look(int rounds) { return {rounds, smallest_crossing(rounds, settling_chance)}; }

Looked<StageOne> stage_one(std::span<const GateRound> rounds, const Preset& preset, bool higher,
                           std::span<const LookOne> looks) {
  Looked<StageOne> last{StageOne::open, 0, 0};
  for (const LookOne& look : looks) {
    if (std::ssize(rounds) < look.rounds) return last;
    const GateStatistic statistic = statistic_of(rounds.first(static_cast<std::size_t>(look.rounds)), higher);
    last = {StageOne::open, look.rounds, look.spared()};
    const auto decided = [&](StageOne result) { return Looked<StageOne>{result, look.rounds, look.spared()}; };
    if (statistic.positives >= look.crossing && statistic.effect > preset.log_floor())
      return decided(StageOne::candidate_slow);
    if (statistic.negatives >= look.crossing && statistic.effect < -preset.log_floor())
      return decided(StageOne::candidate_fast);
    if (inside(statistic, preset.log_margin(), look.spared())) return decided(StageOne::same);
  }
  last.result = StageOne::undecided;
  return last;
}

Looked<StageTwo> stage_two(std::span<const GateRound> rounds, const Preset& preset, bool higher, bool slow,
                           const ConfirmingCounts& counts) {
  struct Look {
    int rounds, crossing, spared;
  };
  Looked<StageTwo> last{StageTwo::open, 0, 0};
  for (const Look& look : {Look{8, counts.at_8, 7}, Look{stage_two_rounds, counts.at_16, 19}}) {
    if (std::ssize(rounds) < look.rounds) return last;
    const GateStatistic statistic = statistic_of(rounds.first(static_cast<std::size_t>(look.rounds)), higher);
    last = {StageTwo::open, look.rounds, look.spared};
    const double effect = slow ? statistic.effect : -statistic.effect;
    if ((slow ? statistic.positives : statistic.negatives) >= look.crossing && effect > preset.log_floor())
      return {StageTwo::confirmed, look.rounds, look.spared};
    const bool near = look.rounds == stage_two_rounds || std::abs(statistic.effect) <= preset.log_floor();
    if (near && inside(statistic, preset.log_margin(), look.spared)) return {StageTwo::same, look.rounds, look.spared};
  }
  last.result = StageTwo::undecided;
  return last;
}

}  // namespace assay::harness
