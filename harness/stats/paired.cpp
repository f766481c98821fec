#include "harness/stats/paired.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/stats/median.hpp"

namespace assay::harness {

namespace {

constexpr double negligible = 1e-12;  // rounding of float64 sums, and no effect of anything

/// Two numbers that differ by their rounding alone are equal: 0, not 5.55e-17.
double difference(double baseline, double candidate) {
  const double largest = std::max(std::abs(baseline), std::abs(candidate));
  const double found = candidate - baseline;
  return std::abs(found) <= 4 * std::numeric_limits<double>::epsilon() * largest ? 0 : found;
}

/// The median of effects that cancel but for their rounding is 0.
double middle_effect(const std::vector<double>& effects) {
  const double middle = median(effects);
  double largest = 0;
  for (const double effect : effects) largest = std::max(largest, std::abs(effect));
  return std::abs(middle) < negligible * largest ? 0 : middle;
}

// Why logs: twice as slow and twice as fast are then equally far from no change, the median of ratios and of their
// inverses agree, and drift that multiplies both sides of a round cancels.
double effect_of(Form form, double baseline, double candidate) {
  if (form == Form::difference) return difference(baseline, candidate);
  if (!(baseline > 0 && candidate > 0))
    throw std::domain_error("a ratio needs positive samples; found " + std::to_string(candidate) + " / " +
                            std::to_string(baseline));
  return std::log(candidate) - std::log(baseline);  // not log(a / b): the quotient may overflow
}

}  // namespace

Form form_of(const std::string& name) {
  if (name == "ratio") return Form::ratio;
  if (name == "difference") return Form::difference;
  throw std::invalid_argument("form of a comparison: expected ratio or difference, found '" + name + "'");
}

Paired pair(Form form, std::span<const double> baseline, std::span<const double> candidate) {
  if (baseline.size() != candidate.size())
    throw std::domain_error("pairs: " + std::to_string(baseline.size()) + " baseline and " +
                            std::to_string(candidate.size()) + " candidate samples");
  require_finite(baseline, "baseline");
  require_finite(candidate, "candidate");
  Paired result{form, {}};
  for (std::size_t i = 0; i < baseline.size(); ++i)
    result.effects.push_back(effect_of(form, baseline[i], candidate[i]));
  result.effect = middle_effect(result.effects);
  result.interval = sign_interval(result.effects);
  return result;
}

double shown(Form form, double effect) {
  const double value = form == Form::ratio ? std::exp(effect) : effect;
  if (!std::isfinite(value))
    throw std::domain_error("an effect of " + std::to_string(effect) + " is too large to show");
  return value;
}

double margin_effect(Form form, double margin) {
  if (!(margin >= 0) || !std::isfinite(margin)) throw std::domain_error("a margin must be 0 or more");
  return form == Form::ratio ? std::log1p(margin) : margin;
}

}  // namespace assay::harness
