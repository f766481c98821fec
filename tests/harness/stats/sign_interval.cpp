#include "harness/stats/sign_interval.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "harness/stats/median.hpp"
#include "tests/catch.hpp"

using namespace assay::harness;

namespace {
std::vector<double> count_up(int n) {
  std::vector<double> values;
  for (int i = n; i > 0; --i) values.push_back(i);  // falling: the interval must sort
  return values;
}
const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();
}  // namespace

TEST_CASE("median of odd and even counts") {
  CHECK(median(std::vector<double>{3, 1, 2}) == 2);
  CHECK(median(std::vector<double>{4, 1, 3, 2}) == 2.5);
  CHECK(median(std::vector<double>{1.5e308, 1.7e308}) == Approx(1.6e308));
  CHECK_THROWS_AS(median(std::vector<double>{}), std::domain_error);
}

TEST_CASE("what is not finite is refused, not passed on") {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    CHECK_THROWS_AS(median(std::vector<double>{1, bad}), std::domain_error);
    CHECK_THROWS_AS(sign_interval(std::vector<double>{1, 2, 3, 4, 5, bad}), std::domain_error);
    CHECK_THROWS_AS(expected_to_miss(std::vector<double>{bad}), std::domain_error);
  }
}

// Closed forms: 1 - 2/64, 1 - 2(1 + 10)/1024, 1 - 2(1 + 20 + 190 + 1140 + 4845 + 15504)/2^20.
TEST_CASE("coverage and ranks of the profiles' rounds") {
  CHECK(sign_coverage(6, 1) == Approx(0.96875).epsilon(1e-12));
  CHECK(sign_coverage(10, 2) == Approx(1002.0 / 1024).epsilon(1e-12));
  CHECK(sign_coverage(20, 6) == Approx(1 - 2 * 21700.0 / 1048576).epsilon(1e-12));
  CHECK(sign_rank(6) == 1);
  CHECK(sign_rank(10) == 2);
  CHECK(sign_rank(20) == 6);
  CHECK_THROWS_AS(sign_coverage(6, 0), std::domain_error);
  CHECK_THROWS_AS(sign_coverage(6, 4), std::domain_error);
}

TEST_CASE("intervals are the values of those ranks") {
  const auto six = sign_interval(count_up(6));
  REQUIRE(six);
  CHECK(six->low == 1);
  CHECK(six->high == 6);
  const auto ten = sign_interval(count_up(10));
  REQUIRE(ten);
  CHECK(ten->low == 2);
  CHECK(ten->high == 9);
  const auto twenty = sign_interval(count_up(20));
  REQUIRE(twenty);
  CHECK(twenty->low == 6);
  CHECK(twenty->high == 15);
  CHECK(twenty->confidence == Approx(0.9586).margin(5e-5));
}

TEST_CASE("below six samples there is no interval") {
  CHECK(min_sample_count() == 6);
  for (int n = 0; n < 6; ++n) CHECK_FALSE(sign_interval(count_up(n)));
  CHECK(min_sample_count(0.99) == 8);  // 1 - 2/128 < 0.99 <= 1 - 2/256
}

TEST_CASE("intervals expected to miss") {
  CHECK(expected_to_miss(std::vector<double>{0.96875, 0.96875, 1002.0 / 1024}) == Approx(0.0625 + 22.0 / 1024));
  CHECK(expected_to_miss(std::vector<double>{}) == 0);
}
