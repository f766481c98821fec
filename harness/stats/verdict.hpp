#pragma once
#include <optional>
#include <string>

#include "harness/stats/paired.hpp"

namespace assay::harness {

/// What a comparison says. `invalid` is never a result of the numbers: a check failed, or the machine was not fit.
enum class Verdict { improved, regressed, same, undecided, invalid };

/// "improved", …: as in the run document.
const std::string& name_of(Verdict verdict);

/// A verdict with what an undecided one owes its reader. Numbers as people read them: 0.08 is 8 % of a ratio.
struct Judgement {
  Verdict verdict = Verdict::undecided;
  std::string reason{};                               // why undecided, and why more rounds would not help
  std::optional<double> minimum_detectable_effect{};  // smallest effect that would have been found with 80 % chance
  std::optional<int> rounds_to_settle{};
};

/// Judges a comparison whose samples are repeated: one a round or seed. `better` is "lower", "higher" or "" where
/// neither is.
Judgement judge(const Paired& paired, double margin, const std::string& better);

/// Judges one exact pair (counts, bytes): the same number comes out again, so the estimate stands without an interval.
Judgement judge_exact(const Paired& paired, double margin, const std::string& better);

}  // namespace assay::harness
