#include "harness/stats/proportion.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/catch.hpp"

using namespace assay::harness;

TEST_CASE("the exact interval of a share") {
  // Ends where nothing or all succeeded have a closed form: 1 - 0.025^(1/n).
  CHECK(proportion(0, 200).low == 0);
  CHECK(proportion(0, 200).high == Approx(1 - std::pow(0.025, 1.0 / 200)));
  CHECK(proportion(40, 40).low == Approx(std::pow(0.025, 1.0 / 40)));
  CHECK(proportion(40, 40).high == 1);
  // Clopper and Pearson's interval of 5 of 10, as tabled: 0.187 to 0.813.
  CHECK(proportion(5, 10).low == Approx(0.1871).epsilon(1e-3));
  CHECK(proportion(5, 10).high == Approx(0.8129).epsilon(1e-3));
}

TEST_CASE("no trials say nothing, and more successes than trials are refused") {
  CHECK(proportion(0, 0).low == 0);
  CHECK(proportion(0, 0).high == 1);
  CHECK_THROWS_AS(proportion(2, 1), std::domain_error);
  CHECK_THROWS_AS(proportion(-1, 1), std::domain_error);
}
