#include "harness/stats/paired_rows.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <stdexcept>
#include <string>

namespace assay::harness {

// Why paired: 2,000 rows give one accuracy a standard error of 0.5 %, so a difference of 0.2 % between two scores says
// nothing, but four predictions that all changed for the worse do. Only rows where exactly one side is right carry
// information.
PairedRows compare_rows(std::span<const std::int64_t> baseline, std::span<const std::int64_t> candidate,
                        std::span<const std::int64_t> expected) {
  if (baseline.size() != expected.size() || candidate.size() != expected.size())
    throw std::domain_error("predictions: " + std::to_string(baseline.size()) + " baseline, " +
                            std::to_string(candidate.size()) + " candidate and " + std::to_string(expected.size()) +
                            " expected labels; all three must be as many");
  PairedRows table;
  table.rows = static_cast<std::int64_t>(expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    table.changed += baseline[i] != candidate[i];
    table.gained += baseline[i] != expected[i] && candidate[i] == expected[i];
    table.lost += baseline[i] == expected[i] && candidate[i] != expected[i];
  }
  table.p = mcnemar_p(table.gained, table.lost);
  return table;
}

// Exact, not the chi-square form: counts are small exactly where it matters (4 changed predictions in 2,000).
double mcnemar_p(std::int64_t gained, std::int64_t lost) {
  if (gained < 0 || lost < 0) throw std::domain_error("mcnemar_p: counts must be 0 or more");
  const std::int64_t n = gained + lost;
  if (n == 0) return 1;
  const boost::math::binomial_distribution<double> coin(static_cast<double>(n), 0.5);
  return std::min(1.0, 2 * boost::math::cdf(coin, static_cast<double>(std::min(gained, lost))));
}

}  // namespace assay::harness
