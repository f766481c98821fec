#include "harness/claims/verdict_table.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "harness/claims/evaluate.hpp"
#include "harness/text/columns.hpp"
#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

json sample() { return json::parse(std::ifstream(std::string(ASSAY_SOURCE_DIR) + "/tests/plots/sample_run.json")); }

std::vector<std::string> printed(const json& document, int width, bool colour = false) {
  std::ostringstream out;
  print_verdicts(document, out, colour, width);
  std::vector<std::string> lines;
  std::istringstream in(out.str());
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string all(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("no line is wider than the terminal, at any width") {
  for (const int width : {32, 40, 60, 80, 95, 96, 100, 120, 200}) {
    for (const std::string& line : printed(sample(), width)) {
      INFO(width << ": " << line);
      CHECK(shown_width(line) <= static_cast<std::size_t>(width));
    }
  }
}

TEST_CASE("the table says what was measured, both verdicts, and that no peer ran") {
  const std::string text = all(printed(sample(), 160));
  CHECK(text.find("only assay's own engine ran") != std::string::npos);
  CHECK(text.find("tracing.eager_step") != std::string::npos);
  CHECK(text.find("fails") != std::string::npos);
  CHECK(text.find("same direction") != std::string::npos);
  CHECK(text.find("not tested yet: ") != std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(all(printed(sample(), 160, true)).find("\x1b[31mfails") != std::string::npos);
}

TEST_CASE("a peer that ran has its own rows and no line says that none did") {
  json document = sample();
  document["programs"].push_back(document.at("programs").at(0));
  document["programs"][1]["name"] = "tensorflow{onednn=off}";
  for (json& claim : document["claims"]) {
    claim["verdicts"].push_back(claim.at("verdicts").at(0));
    claim["verdicts"][1]["program"] = "tensorflow{onednn=off}";
  }
  CHECK(all(printed(document, 60)).find("No peer") == std::string::npos);
  CHECK(all(printed(document, 60)).find("tensorflow{onednn=off}:tracing.eager_step") != std::string::npos);
  // wide enough: the claim once, then a line a program
  const auto lines = printed(document, 100);
  const auto claim = std::find_if(lines.begin(), lines.end(),
                                  [](const std::string& line) { return line.find("tracing.eager_step: ") == 0; });
  REQUIRE(lines.end() - claim > 3);
  const std::string ours = claim[1].find("published") == std::string::npos ? claim[1] : claim[2];
  CHECK(ours.find("  assay ") == 0);
  CHECK(all(lines).find("\n  tensorflow{onednn=off}  1.157x [1.124, 1.172]") != std::string::npos);
  for (const int width : {60, 80, 100, 160})
    for (const std::string& line : printed(document, width))
      CHECK(shown_width(line) <= static_cast<std::size_t>(width));
}

TEST_CASE("where no claim is concerned nothing is said of verdicts") {
  json document = sample();
  for (json& claim : document["claims"])
    for (json& verdict : claim["verdicts"]) verdict["advice"] = "not tested yet";
  document["state"].erase("concerns");
  CHECK(printed(document, 100).empty());
  document["state"]["concerns"] = {"it was busy"};
  CHECK(printed(document, 100).at(0) == "The machine was not quiet: it was busy.");
}

TEST_CASE("without a peer the line that installs one stands above the verdicts") {
  json document = sample();
  document["programs"] = json::array({{{"name", "assay"}}});
  const std::string text = all(printed(document, 200));
  CHECK(text.find("./assay peers install tensorflow") < text.find("tracing"));
  document["programs"].push_back({{"name", "tensorflow"}});
  CHECK(all(printed(document, 200)).find("peers install") == std::string::npos);
}

TEST_CASE("an unfit machine stands above everything") {
  json document = sample();
  document["state"]["reasons"] = {"the machine was not fit"};
  CHECK(printed(document, 100).at(0).find("Nothing is judged") == 0);
}

TEST_CASE("measured numbers with and without interval") {
  VerdictRow one;
  CHECK(measured_text(one) == "-");
  one.kind = "ratio";
  one.estimate = 1.157;
  CHECK(measured_text(one) == "1.16x");
  one.low = 1.131;
  one.high = 1.179;
  CHECK(measured_text(one) == "1.157x [1.131, 1.179]");
}

TEST_CASE("text breaks at spaces and counts characters, not bytes") {
  CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("abcdefgh", 3) == std::vector<std::string>{"abc", "def", "gh"});
  CHECK(wrapped("", 5) == std::vector<std::string>{""});
  CHECK(shown_width("a…b") == 3);
  CHECK(wrapped("…… …", 2) == std::vector<std::string>{"……", "…"});
  CHECK(padded("…", 3) == "…  ");
}

TEST_CASE("a comparison whose candidate does not do what the claim is about tests nothing, and says why") {
  json claim{{"id", "toy.a"},
             {"published", {{"text", "t"}}},
             {"holds", {{"ratio_at_least", 1}}},
             {"reproduced", nullptr},
             {"tested_by",
              {{"comparison", "toy.a"},
               {"metric", "time"},
               {"unless", {{"value", "emulated_share"}, {"above", 0.5}, {"reason", "it is emulated"}}}}}};
  const json toy =
      json::array({{{"name", "toy"}, {"cases", json::array()}, {"comparisons", json::array({{{"id", "toy.a"}}})}}});
  const auto advice = [&](const char* configuration, const json& share) {
    const json comparison{{"id", "toy.a"},    {"program", "assay"}, {"metric", "time"},  {"low", 2},
                          {"high", 3},        {"estimate", 2.5},    {"verdict", "same"}, {"candidate", "toy{b=1}"},
                          {"baseline", "toy"}};
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
  claim["tested_by"].erase("unless");
  CHECK(advice("toy{b=1}", 1.0) == "holds, the source gives no figure");
}

TEST_CASE("what was not tested says why") {
  const json claim = json::array({{{"id", "toy.a"},
                                   {"published", {{"text", "t"}}},
                                   {"holds", {{"ratio_at_most", 1}}},
                                   {"reproduced", nullptr},
                                   {"tested_by", {{"comparison", "toy.a"}, {"metric", "time"}}}}});
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
