#include "harness/claims/verdict_table.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

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
  CHECK(std::any_of(claim, lines.end(), [](const std::string& line) {
    return line.starts_with("  tensorflow{onednn=off} ") && line.find(" 1.157x [1.124, 1.172]") != std::string::npos;
  }));
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

TEST_CASE("a claim about number formats has a line for each") {
  json document = sample();
  for (json& claim : document["claims"])
    if (claim.at("id") == "precision.mixed_step") {
      claim["verdicts"][0].update(
          {{"advice", "fails"}, {"estimate", 1.25}, {"low", 1.2}, {"high", 1.3}, {"reason", ""}});
      claim["verdicts"][1].update(
          {{"advice", "holds"}, {"estimate", 0.64}, {"low", 0.62}, {"high", 0.66}, {"reason", ""}});
    }
  const std::string one = all(printed(document, 160));
  CHECK_THAT(one, Catch::Contains("precision.mixed_step (float16)") && Catch::Contains("1.25x [1.20, 1.30]"));
  CHECK_THAT(one, Catch::Contains("precision.mixed_step (bfloat16)") && Catch::Contains("0.640x [0.620, 0.660]"));
  document["programs"].push_back({{"name", "tensorflow"}});
  const std::string several = all(printed(document, 100));
  CHECK_THAT(several, Catch::Contains("  assay, float16 ") && Catch::Contains("  assay, bfloat16 "));
}
