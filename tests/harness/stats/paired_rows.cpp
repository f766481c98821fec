#include "harness/stats/paired_rows.hpp"

#include <vector>

#include "tests/catch.hpp"

using namespace assay::harness;
using Labels = std::vector<std::int64_t>;

TEST_CASE("which predictions changed") {
  const Labels expected{1, 2, 3, 4, 5, 6}, baseline{1, 2, 3, 0, 0, 6}, candidate{1, 0, 3, 4, 9, 6};
  const PairedRows table = compare_rows(baseline, candidate, expected);
  CHECK(table.rows == 6);
  CHECK(table.changed == 3);  // the fifth changed from one wrong label to another
  CHECK(table.gained == 1);
  CHECK(table.lost == 1);
  CHECK(table.p == 1);
  CHECK_THROWS_AS(compare_rows(baseline, Labels{1}, expected), std::domain_error);
}

// Exact binomial tails: 2 x 1/16; 2 x (1 + 10) / 1024; R's binom.test(2, 14) gives 0.01294.
TEST_CASE("McNemar's exact two-sided p") {
  CHECK(mcnemar_p(0, 0) == 1);
  CHECK(mcnemar_p(0, 4) == Approx(0.125));
  CHECK(mcnemar_p(4, 0) == Approx(0.125));
  CHECK(mcnemar_p(1, 9) == Approx(22.0 / 1024));
  CHECK(mcnemar_p(12, 2) == Approx(0.012939).epsilon(1e-4));
  CHECK(mcnemar_p(7, 7) == 1);
}
