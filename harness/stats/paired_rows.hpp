#pragma once
#include <cstdint>
#include <span>

namespace assay::harness {

/// Two models scored on the same rows: McNemar's table, and how likely its imbalance is by chance.
struct PairedRows {
  std::int64_t rows = 0;
  std::int64_t changed = 0;  // predictions that differ, right or wrong
  std::int64_t gained = 0;   // b: wrong in the baseline, right in the candidate
  std::int64_t lost = 0;     // c: right in the baseline, wrong in the candidate
  double p = 1;              // exact, two-sided: Binomial(gained + lost, 1/2)
};

/// Throws std::domain_error where the three lists differ in length.
PairedRows compare_rows(std::span<const std::int64_t> baseline, std::span<const std::int64_t> candidate,
                        std::span<const std::int64_t> expected);

/// The exact two-sided p of McNemar's test for `gained` against `lost`.
double mcnemar_p(std::int64_t gained, std::int64_t lost);

}  // namespace assay::harness
