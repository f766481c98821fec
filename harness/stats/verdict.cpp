#include "harness/stats/verdict.hpp"

#include <array>
#include <cmath>

#include "harness/stats/power.hpp"
#include "harness/text/format_number.hpp"

namespace assay::harness {

namespace {

// `same` comes first: a certain difference inside the margin is real and does not matter.
std::optional<Judgement> decided(double low, double high, double margin, const std::string& better) {
  if (-margin <= low && high <= margin) return Judgement{Verdict::same};
  if (low <= 0 && 0 <= high) return std::nullopt;
  if (better.empty()) return Judgement{Verdict::undecided, "the two differ, but neither direction is better"};
  return Judgement{(high < 0) == (better == "lower") ? Verdict::improved : Verdict::regressed};
}

}  // namespace

const std::string& name_of(Verdict verdict) {
  static const std::array<std::string, 5> names{"improved", "regressed", "same", "undecided", "invalid"};
  return names[static_cast<std::size_t>(verdict)];
}

Judgement judge(const Paired& paired, double margin, const std::string& better) {
  const int n = static_cast<int>(paired.effects.size());
  if (!paired.interval)
    return {Verdict::undecided, std::to_string(n) + (n == 1 ? " sample" : " samples") +
                                    ": an interval needs at least " + std::to_string(min_sample_count())};
  const double g = margin_effect(paired.form, margin);
  const Interval& interval = *paired.interval;
  if (auto judgement = decided(interval.low, interval.high, g, better)) return *judgement;

  Judgement open;
  const double effect = minimum_detectable_effect(interval, n, g);
  open.minimum_detectable_effect = paired.form == Form::ratio ? shown(paired.form, effect) - 1 : effect;
  const std::optional<double> rounds = rounds_to_settle(interval, n, paired.effect, g);
  if (!rounds)
    open.reason = "not here: no number of rounds tells an effect of 0 from a margin of 0";
  else if (*rounds > max_settling_rounds)
    open.reason = "not here: the noise of a round must fall by a factor of " +
                  format_number(std::sqrt(*rounds / max_settling_rounds), 2);
  else
    open.rounds_to_settle = static_cast<int>(*rounds);
  return open;
}

Judgement judge_exact(const Paired& paired, double margin, const std::string& better) {
  const double g = margin_effect(paired.form, margin);
  return decided(paired.effect, paired.effect, g, better).value_or(Judgement{});
}

}  // namespace assay::harness
