#include "harness/claims/claims.hpp"

#include <map>

#include "harness/claims/bounds.hpp"
#include "harness/claims/figure.hpp"
#include "tests/catch.hpp"
#include "tests/harness/results/toy_records.hpp"
#include "tests/harness/spoilt.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {
json published() { return load_claims(std::string(ASSAY_SOURCE_DIR) + "/results/published/claims.json"); }

json good() {
  return {{"id", "toy.claim"},
          {"section", 2},
          {"source", "P"},
          {"advice", "a"},
          {"published", {{"ratio", 2}, {"text", "2x"}}},
          {"tested_by", json::array({{{"comparison", "toy.claim"}, {"metric", "m"}}})},
          {"holds", {{"ratio_at_most", 1}}},
          {"why", "because"}};
}
}  // namespace

TEST_CASE("every published claim stands in the data") {
  const std::map<int, int> expected{{1, 3}, {2, 5}, {3, 4}, {4, 3}, {5, 5}, {6, 3}, {7, 3}, {8, 4}, {10, 4}};
  std::map<int, int> found;
  for (const json& claim : published()) ++found[claim.at("section").get<int>()];
  CHECK(found == expected);
}

TEST_CASE("published figures are candidate / baseline") {
  const json claims = published();
  const auto ratio = [&](const char* id) {
    return assay::tests::row(claims, "id", id).at("published").at("ratio").get<double>();
  };
  CHECK(ratio("tracing.eager_step") == 9.9);
  CHECK(ratio("tracing.call_cost") == 390);
  CHECK(ratio("tracing.batch_amortisation") == Approx(1.0 / 14).epsilon(1e-3));
  CHECK(ratio("distribution.updates") == 141.0 / 282);
  CHECK(ratio("search.halving_cost") == Approx(64.0 / 144).epsilon(1e-3));
  CHECK(ratio("precision.mixed_step") == Approx(40.65).epsilon(1e-3));
  CHECK(assay::tests::row(claims, "id", "tracing.loop_equivalence").at("published").at("difference") == 0.001);
}

TEST_CASE("every published figure reproduces itself, and none but where the source says so lets its advice hold") {
  for (const json& claim : published()) {
    for (const char* kind : {"ratio", "difference", "value"}) {
      if (!claim.at("published").contains(kind)) continue;
      const double figure = claim.at("published").at(kind);
      INFO(claim.at("id"));
      CHECK(figure_verdict(claim, {figure, figure}) == "reproduced");
      const auto bounds = read_bounds(claim.at("holds"), "holds");
      CHECK(bounds.kind == kind);
    }
  }
}

TEST_CASE("a claim that cannot be judged is refused with its name") {
  CHECK(complete_claims(json::array({good()})).at(0).at("reproduced").is_null());
  const auto refused = [](const char* key, const json& value) {
    json claim = good();
    if (value.is_discarded())
      claim.erase(key);
    else
      claim[key] = value;
    CHECK_THROWS_WITH(complete_claims(json::array({claim})), Catch::Contains("toy.claim"));
  };
  refused("source", "Q");
  refused("advice", 1);
  refused("published", {{"ratio", 2}});
  refused("published", {{"ratio", 0}, {"text", "x"}});
  refused("published", {{"ratio", 2}, {"value", 2}, {"text", "x"}});
  const json test{{"comparison", "toy.claim"}, {"metric", "m"}};
  const auto with = [&](const char* key, const json& value) {
    json changed = test;
    changed[key] = value;
    return changed;
  };
  refused("tested_by", test);
  refused("tested_by", json::array());
  refused("tested_by", json::array({{{"comparison", "toy.claim"}}}));
  refused("tested_by", json::array({with("unless", {{"value", "v"}, {"above", 1}})}));
  refused("tested_by", json::array({test, test}));
  refused("tested_by", json::array({with("format", "float16"), test}));
  refused("tested_by",
          json::array({with("format", "float16"), {{"format", "x"}, {"value", "v"}, {"case", "toy.case"}}}));
  refused("published", {{"ratio", 2}, {"format", "float16"}, {"text", "2x"}});  // of no test
  refused("holds", {{"value_at_most", 1}});
  refused("holds", {{"ratio_about", 1}});
  refused("holds", nullptr);
  refused("holds", {{"ratio_at_most", 1}, {"absolute", "yes"}});
  refused("why", json(json::value_t::discarded));
  assay::tests::with_each_field_spoilt(good(), [](const json& spoilt, const std::string& how) {
    INFO(how);
    try {
      complete_claims(json::array({spoilt}));
    } catch (const std::invalid_argument& error) {  // the library's own are of another type
      SUCCEED(error.what());
    }
  });
  CHECK_THROWS_WITH(complete_claims(json::array({good(), good()})), Catch::Contains("twice"));
  CHECK_THROWS_WITH(load_claims("/nowhere/claims.json"), Catch::Contains("/nowhere/claims.json"));
}
