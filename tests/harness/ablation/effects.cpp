#include "harness/ablation/effects.hpp"

#include <sstream>

#include "harness/ablation/table.hpp"
#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

json compared(const std::string& before, const std::string& after, const std::string& verdict, double ratio) {
  const bool valid = verdict != "invalid";
  const auto or_null = [&](double value) { return valid ? json(value) : json(nullptr); };
  return {{"baseline", "t.step" + before},
          {"candidate", "t.step" + after},
          {"program", "toy"},
          {"metric", "time"},
          {"unit", "ns"},
          {"verdict", verdict},
          {"reason", valid ? "" : "a check failed"},
          {"estimate", or_null(ratio)},
          {"low", or_null(ratio * 0.9)},
          {"high", or_null(ratio * 1.1)}};
}

json document() {
  json controls = json::array(), values = json::array(), comparisons = json::array();
  for (const char* name : {"t.trace", "t.fuse", "t.isa"})
    controls.push_back({{"name", name}, {"reason", std::string(name) == "t.isa" ? "no such CPU" : ""}});
  for (const auto& [configuration, median] : {std::pair{"t.step", 1.25e6}, {"t.step{off=all}", 1e7}})
    values.push_back({{"configuration", configuration}, {"program", "toy"}, {"metric", "time"}, {"median", median}});
  comparisons.push_back(compared("", "{mode=eager}", "regressed", 3));  // no switch
  comparisons.push_back(compared("", "{off=all}", "regressed", 8));
  comparisons.push_back(compared("", "{off=t.trace}", "regressed", 2));
  comparisons.push_back(compared("", "{off=t.fuse}", "improved", 0.8));
  comparisons.push_back(compared("{off=all}", "{on=t.trace}", "improved", 0.5));
  comparisons.push_back(compared("{on=t.trace}", "{on=t.trace+t.fuse}", "same", 1.01));
  return {{"controls", controls},
          {"values", values},
          {"comparisons", comparisons},
          {"claims", json::array()},
          {"programs", {{{"name", "toy"}}}},
          {"state", {{"reasons", json::array()}, {"concerns", json::array()}}}};
}

std::string printed(const json& run, int width) {
  std::ostringstream out;
  print_ablation(run, out, false, width);
  return out.str();
}

}  // namespace

TEST_CASE("slower without it and faster with it alone both mean that a control helps") {
  const auto found = ablations(document());
  REQUIRE(found.size() == 1);
  CHECK(found[0].configuration == "t.step");
  CHECK(found[0].all_on == 1.25e6);
  CHECK(found[0].all_off == 1e7);
  CHECK(found[0].everything.estimate == 8.0);
  REQUIRE(found[0].controls.size() == 2);
  const auto& trace = found[0].controls[0];
  const auto& fuse = found[0].controls[1];
  CHECK(trace.control == "t.trace");
  CHECK(trace.alone_off->verdict == "helps");
  CHECK(trace.alone_on->verdict == "helps");
  CHECK(trace.needs.empty());
  CHECK(fuse.control == "t.fuse");
  CHECK(fuse.alone_off->verdict == "hurts");
  CHECK(fuse.alone_on->verdict == "no difference");
  CHECK(fuse.needs == "t.trace");
}

TEST_CASE("faster without everything and slower alone mean that a control hurts") {
  json run = document();
  run["comparisons"] = {compared("", "{off=t.trace}", "improved", 0.5),
                        compared("{off=all}", "{on=t.trace}", "regressed", 2)};
  const auto control = ablations(run).at(0).controls.at(0);
  CHECK(control.alone_off->verdict == "hurts");
  CHECK(control.alone_on->verdict == "hurts");
}

TEST_CASE("the table has both ratios of each control and says what was left out") {
  for (const int width : {140, 50}) {
    const std::string text = printed(document(), width);
    INFO(text);
    CHECK_THAT(text, Catch::Contains("all on 1.25 ms, all off 10 ms: 8.00x [7.20, 8.80]  helps"));
    CHECK_THAT(text, Catch::Contains("2.00x [1.80, 2.20]  helps"));
    CHECK_THAT(text, Catch::Contains("0.500x [0.450, 0.550]  helps"));
    CHECK_THAT(text, Catch::Contains("t.isa was left out: no such CPU"));
    CHECK_THAT(text, !Catch::Contains(" 3x"));
  }
}

TEST_CASE("an invalid comparison has no ratio and its reason") {
  json run = document();
  run["comparisons"][2] = compared("", "{off=t.trace}", "invalid", 2);
  CHECK_FALSE(ablations(run)[0].controls[0].alone_off->estimate);
  const std::string text = printed(run, 140);
  INFO(text);
  CHECK_THAT(text, !Catch::Contains("2x [1.8"));
  CHECK_THAT(text, Catch::Contains("invalid (t.trace off): a check failed"));
}
