#include "harness/claims/evaluate.hpp"

#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;

TEST_CASE("a comparison whose candidate does not do what the claim is about tests nothing, and says why") {
  json claim{{"id", "toy.a"},
             {"published", {{"text", "t"}}},
             {"holds", {{"ratio_at_least", 1}}},
             {"reproduced", nullptr},
             {"tested_by", json::array()}};
  const json unless{{"value", "emulated_share"}, {"above", 0.5}, {"reason", "it is emulated"}};
  claim["tested_by"].push_back({{"comparison", "toy.a"}, {"metric", "time"}, {"unless", unless}});
  const json toy =
      json::array({{{"name", "toy"}, {"cases", json::array()}, {"comparisons", json::array({{{"id", "toy.a"}}})}}});
  const auto advice = [&](const char* configuration, const json& share) {
    const json comparison{{"id", "toy.a"},     {"program", "assay"}, {"metric", "time"},  {"low", 2},
                          {"high", 3},         {"estimate", 2.5},    {"verdict", "same"}, {"candidate", "toy{b=1}"},
                          {"baseline", "toy"}, {"form", "ratio"}};
    const json value{
        {"program", "assay"}, {"configuration", configuration}, {"metric", "emulated_share"}, {"median", share}};
    const json document{{"programs", json::array({{{"name", "assay"}}})},
                        {"scenarios", toy},
                        {"comparisons", json::array({comparison})},
                        {"values", json::array({value})}};
    const json found = evaluate_claims(json::array({claim}), document, {{"scenarios", toy}}).at(0).at("verdicts").at(0);
    return found.at("advice").get<std::string>() + ", " + found.at("reason").get<std::string>();
  };
  CHECK(advice("toy{b=1}", 1.0) == "not testable here, it is emulated");
  CHECK(advice("toy{b=1}", 0.25) == "holds, the source gives no figure");
  CHECK(advice("toy{b=1}", nullptr) == "holds, the source gives no figure");
  CHECK(advice("toy", 1.0) == "holds, the source gives no figure");  // the baseline's
  claim["tested_by"][0].erase("unless");
  CHECK(advice("toy{b=1}", 1.0) == "holds, the source gives no figure");
}

TEST_CASE("what was not tested says why") {
  const json claim = json::array({{{"id", "toy.a"},
                                   {"published", {{"text", "t"}}},
                                   {"holds", {{"ratio_at_most", 1}}},
                                   {"reproduced", nullptr},
                                   {"tested_by", json::array({{{"comparison", "toy.a"}, {"metric", "time"}}})}}});
  const json comparison{
      {"id", "toy.a"}, {"program", "assay"}, {"metric", "time"}, {"verdict", "invalid"}, {"reason", "a check failed"}};
  const auto verdict = [&](const json& selected, const json& offered, const json& comparisons) {
    const json document{
        {"programs", json::array({{{"name", "assay"}}})}, {"scenarios", selected}, {"comparisons", comparisons}};
    return evaluate_claims(claim, document, {{"scenarios", offered}}).at(0).at("verdicts").at(0);
  };
  const json toy =
      json::array({{{"name", "toy"}, {"cases", json::array()}, {"comparisons", json::array({{{"id", "toy.a"}}})}}});
  const json none = json::array();
  CHECK(verdict(none, none, none).at("reason") == "no scenario tests it yet");
  CHECK(verdict(none, toy, none).at("advice") == "not tested yet");
  CHECK(verdict(none, toy, none).at("reason") == "the scenario toy was not part of this run");
  CHECK(verdict(toy, toy, none).at("advice") == "not testable here");
  CHECK(verdict(toy, toy, json::array({comparison})).at("reason") == "a check failed");
}

namespace {

/// The verdicts of a claim that is tested in two formats, of which the published figure is of the first.
json verdicts_of_formats() {
  const json claim{{"id", "toy.a"},
                   {"published", {{"ratio", 4}, {"format", "float16"}, {"text", "4x slower"}}},
                   {"holds", {{"ratio_at_most", 0.67}}},
                   {"reproduced", nullptr},
                   {"tested_by", json::array({{{"format", "float16"}, {"comparison", "toy.a"}, {"metric", "time"}},
                                              {{"format", "bfloat16"}, {"comparison", "toy.b"}, {"metric", "time"}}})}};
  const json scenarios = json::array({{{"name", "toy"},
                                       {"cases", json::array()},
                                       {"comparisons", json::array({{{"id", "toy.a"}}, {{"id", "toy.b"}}})}}});
  const auto comparison = [](const char* id, double low, double high) {
    return json{{"id", id},     {"program", "assay"}, {"metric", "time"},       {"form", "ratio"}, {"low", low},
                {"high", high}, {"estimate", low},    {"verdict", "regressed"}, {"candidate", ""}};
  };
  const json document{{"programs", json::array({{{"name", "assay"}}})},
                      {"scenarios", scenarios},
                      {"values", json::array()},
                      {"comparisons", {comparison("toy.a", 3.5, 4.5), comparison("toy.b", 0.5, 0.6)}}};
  return evaluate_claims(json::array({claim}), document, {{"scenarios", scenarios}}).at(0).at("verdicts");
}

}  // namespace

TEST_CASE("each number format of a claim has a verdict of its own") {
  const json verdicts = verdicts_of_formats();
  REQUIRE(verdicts.size() == 2);
  CHECK(verdicts.at(0).at("format") == "float16");
  CHECK(verdicts.at(0).at("advice") == "fails");
  CHECK(verdicts.at(0).at("figure") == "reproduced");
  CHECK(verdicts.at(1).at("format") == "bfloat16");
  CHECK(verdicts.at(1).at("advice") == "holds");
  CHECK(verdicts.at(1).at("figure") == "not testable");
  CHECK(verdicts.at(1).at("reason") == "the published figure is of float16");
}
