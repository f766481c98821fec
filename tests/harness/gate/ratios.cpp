#include "harness/gate/ratios.hpp"

#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

json run_with(double estimate, double low, double high, const std::string& key = "a",
              const std::string& better = "lower") {
  return {{"machine", {{"key", key}}},
          {"comparisons",
           {{{"id", "toy.slow"},
             {"program", "assay"},
             {"metric", "step_time"},
             {"form", "ratio"},
             {"better", better},
             {"estimate", estimate},
             {"low", low},
             {"high", high},
             {"reason", ""}}}}};
}

std::string verdict(const json& before, const json& after) {
  return compare_ratios(before, after, {0.03, 0.05}).at("ratios").at(0).at("verdict");
}

}  // namespace

TEST_CASE("ratios of two runs are compared by the outer ends of their intervals") {
  const json section = compare_ratios(run_with(1.2, 1.19, 1.21), run_with(1.5, 1.45, 1.55), {0.03, 0.05});
  const json& row = section.at("ratios").at(0);
  CHECK(row.at("estimate").get<double>() == Approx(1.25));
  CHECK(row.at("low").get<double>() == Approx(1.45 / 1.21));
  CHECK(row.at("high").get<double>() == Approx(1.55 / 1.19));
  CHECK(row.at("verdict") == "regressed");
}

TEST_CASE("verdicts of a changed ratio") {
  CHECK(verdict(run_with(1.2, 1.19, 1.21), run_with(1.2, 1.19, 1.21)) == "same");
  CHECK(verdict(run_with(1.2, 1.1, 1.3), run_with(1.2, 1.1, 1.3)) == "undecided");
  CHECK(verdict(run_with(1.5, 1.45, 1.55), run_with(1.2, 1.19, 1.21)) == "improved");
  CHECK(verdict(run_with(1.2, 1.19, 1.21, "a", "higher"), run_with(1.5, 1.45, 1.55, "a", "higher")) == "improved");
  CHECK(verdict(run_with(1.0, 0.999, 1.001), run_with(1.02, 1.019, 1.061)) == "undecided");  // real, below the floor
}

TEST_CASE("a changed ratio is a benchmark of the gate, with the exit code") {
  const auto section_of = [](json after, bool strict = false) {
    after.update({{"failures", json::array()},
                  {"state", {{"fit", true}, {"reasons", {"others took 5 %"}}}},
                  {"harness", {{"processes", 12}}}});
    for (json& one : after["comparisons"]) one["checks_failed"] = json::array();
    GateTerms terms;
    terms.fail_on_undecided = strict;
    return ratio_section(run_with(1.2, 1.19, 1.21), after, {0.03, 0.05}, "declared", terms);
  };
  const json worse = section_of(run_with(1.5, 1.45, 1.55));
  CHECK(worse.at("benchmarks").at(0).at("verdict") == "regressed");
  CHECK(worse.at("benchmarks").at(0).at("baseline") == 1.2);
  CHECK(worse.at("exit").at("code") == 1);
  CHECK(section_of(run_with(1.2, 1.19, 1.21)).at("exit").at("code") == 0);
  CHECK(section_of(run_with(1.25, 1.1, 1.4)).at("exit").at("code") == 0);
  CHECK(section_of(run_with(1.25, 1.1, 1.4), true).at("exit").at("code") == 1);
  json none = run_with(1.2, 1.19, 1.21);
  none["comparisons"] = json::array();
  CHECK(section_of(none).at("exit").at("code") == 4);
  json wrong = run_with(1.5, 1.45, 1.55);
  wrong.update({{"failures", {{{"configuration", "toy.step"}, {"reason", "signal 6"}}}},
                {"state", {{"fit", true}, {"reasons", json::array()}}},
                {"harness", {{"processes", 12}}}});
  wrong["comparisons"][0]["checks_failed"] = json::array();
  CHECK(ratio_section(run_with(1.2, 1.19, 1.21), wrong, {0.03, 0.05}, "declared", {}).at("exit").at("code") == 3);
}

TEST_CASE("it says why only ratios are compared, and what is missing") {
  CHECK(compare_ratios(run_with(1, 1, 1, "a"), run_with(1, 1, 1, "b"), {})
            .at("why")
            .get<std::string>()
            .find("machine a") != std::string::npos);
  json none = run_with(1, 1, 1);
  none["comparisons"][0]["low"] = nullptr;
  CHECK(verdict(none, run_with(1, 1, 1)) == "invalid");
  none["comparisons"][0]["id"] = "toy.other";
  CHECK(compare_ratios(none, run_with(1, 1, 1), {}).at("ratios").empty());
}
