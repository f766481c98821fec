#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/stats/sign_interval.hpp"

namespace assay::harness {

/// How the two samples of a round are compared: candidate / baseline or candidate - baseline.
enum class Form { ratio, difference };

/// "ratio" or "difference"; throws std::invalid_argument for anything else.
Form form_of(const std::string& name);

/// A paired comparison on its own additive scale: the effect is the log of a ratio, or a difference. No change is 0.
struct Paired {
  Form form = Form::ratio;
  std::vector<double> effects;         // one a round or seed
  double effect = 0;                   // their median
  std::optional<Interval> interval{};  // of the effect; none below min_sample_count()
};

/// Pairs sample i of one side with sample i of the other: both of the same round or seed. Throws std::domain_error for
/// counts that differ, no samples, values that are not finite, or a ratio of values that are not positive.
Paired pair(Form form, std::span<const double> baseline, std::span<const double> candidate);

/// An effect as people read it: a ratio or a difference. Throws std::domain_error where that would not be finite.
double shown(Form form, double effect);

/// The reverse of `shown` for a margin or a published figure: 0.05 of a ratio is log(1.05).
double margin_effect(Form form, double margin);

}  // namespace assay::harness
