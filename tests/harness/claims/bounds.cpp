#include "harness/claims/bounds.hpp"

#include "harness/claims/figure.hpp"
#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {
Place at(const json& bounds, double low, double high) { return place(read_bounds(bounds, "test"), {low, high}); }

json claim(const json& published, const json& holds, const json& reproduced = nullptr) {
  return {{"id", "toy.claim"}, {"published", published}, {"holds", holds}, {"reproduced", reproduced}};
}
}  // namespace

TEST_CASE("the whole interval decides, bounds included") {
  CHECK(at({{"ratio_at_most", 1.1}}, 1.0, 1.1) == Place::inside);
  CHECK(at({{"ratio_at_most", 1.1}}, 1.0, 1.2) == Place::across);
  CHECK(at({{"ratio_at_most", 1.1}}, 1.11, 1.2) == Place::outside);
  CHECK(at({{"value_at_least", 3}}, 3, 4) == Place::inside);
  CHECK(at({{"value_between", {1, 2}}}, 0.9, 1.5) == Place::across);
  CHECK(at({{"value_between", {1, 2}}}, 2.1, 3) == Place::outside);
}

TEST_CASE("an absolute bound looks at the size") {
  const json riskier{{"difference_at_least", 0.005}, {"absolute", true}};
  CHECK(at(riskier, -0.009, -0.006) == Place::inside);
  CHECK(at(riskier, 0.006, 0.009) == Place::inside);
  CHECK(at(riskier, -0.004, 0.003) == Place::outside);
  CHECK(at(riskier, -0.006, 0.001) == Place::across);
}

TEST_CASE("a malformed bound is named") {
  for (const json& bad : {json::object(), json(1), json{{"ratio_about", 1}}, json{{"speed_at_most", 1}},
                          json{{"ratio_at_most", "1"}}, json{{"ratio_between", {2, 1}}}, json{{"ratio_between", {1}}},
                          json{{"ratio_at_most", 1}, {"ratio_at_least", 0}}})
    CHECK_THROWS_WITH(read_bounds(bad, "claim x, holds"), Catch::Contains("claim x, holds"));
}

TEST_CASE("a published figure: reproduced within 1.5, else its direction") {
  const json slow = claim({{"ratio", 9.9}}, {{"ratio_at_most", 1.1}});
  CHECK(figure_verdict(slow, {6.7, 14.8}) == "reproduced");
  CHECK(figure_verdict(slow, {6.5, 9}) == "same direction");
  CHECK(figure_verdict(slow, {1.01, 1.2}) == "same direction");
  CHECK(figure_verdict(slow, {0.9, 1.2}) == "undecided");
  CHECK(figure_verdict(slow, {0.8, 0.95}) == "opposite");
  const json fast = claim({{"ratio", 1.0 / 14}}, {{"ratio_between", {0.9, 1.1}}});
  CHECK(figure_verdict(fast, {0.05, 0.1}) == "reproduced");
  CHECK(figure_verdict(fast, {0.2, 0.3}) == "same direction");
  CHECK(figure_verdict(fast, {1.2, 1.3}) == "opposite");
}

TEST_CASE("figures of differences: negative, unsigned, zero, none") {
  const json worse = claim({{"difference", -0.6}}, {{"difference_between", {-0.005, 0.005}}});
  CHECK(figure_verdict(worse, {-0.8, -0.5}) == "reproduced");
  CHECK(figure_verdict(worse, {-0.2, -0.1}) == "same direction");
  CHECK(figure_verdict(worse, {0.1, 0.2}) == "opposite");
  const json unsigned_ = claim({{"difference", 0.001}}, {{"difference_at_least", 0.005}, {"absolute", true}});
  CHECK(figure_verdict(unsigned_, {-0.0012, -0.0008}) == "reproduced");
  CHECK(figure_verdict(unsigned_, {-0.01, -0.005}) == "same direction");
  CHECK(figure_verdict(unsigned_, {-0.001, 0.001}) == "undecided");
  const json best =
      claim({{"difference", 0}}, {{"difference_at_most", -0.005}}, {{"difference_between", {-0.001, 0.001}}});
  CHECK(figure_verdict(best, {0, 0.0005}) == "reproduced");
  CHECK(figure_verdict(best, {0.01, 0.02}) == "undecided");  // a published 0 has no side
  CHECK(figure_verdict(claim({{"text", "no number"}}, {{"ratio_at_most", 1}}), {1, 2}) == "not testable");
}
