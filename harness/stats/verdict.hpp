#pragma once
#include <optional>
#include <string>

#include "harness/stats/paired.hpp"

namespace assay::harness {

/// The result of a comparison. `invalid` never follows from the numbers: a check failed, or the machine was not fit.
enum class Verdict { improved, regressed, same, undecided, invalid };

/// "improved", …: as in the run document.
const std::string& name_of(Verdict verdict);

/// A verdict, and for an undecided one what would settle it. Numbers as people read them: 0.08 is 8 % of a ratio.
struct Judgement {
  Verdict verdict = Verdict::undecided;
  std::string reason{};                               // why undecided, and why more rounds would not help
  std::optional<double> minimum_detectable_effect{};  // smallest effect that would have been found with 80 % chance
  std::optional<int> rounds_to_settle{};
};

/// Judges a comparison with one sample a round or seed. `better` is "lower", "higher", or "" if neither is.
Judgement judge(const Paired& paired, double margin, const std::string& better);

/// Judges one exact pair (counts, bytes). The same number comes out each time, so it needs no interval.
Judgement judge_exact(const Paired& paired, double margin, const std::string& better);

}  // namespace assay::harness
