#include "harness/ablation/design.hpp"

#include <algorithm>

#include "harness/cases/lookup.hpp"
#include "tests/catch.hpp"
#include "tests/harness/ablation/toy_catalogue.hpp"

using namespace assay::harness;
using assay::tests::toy_catalogue;

namespace {

using Names = std::vector<std::string>;

std::string reason_of(const Catalogue& catalogue, const std::string& control) {
  const auto found = std::ranges::find(catalogue.controls, control, &ControlInfo::name);
  return found == catalogue.controls.end() ? "no such control" : found->acts ? "acts" : found->reason;
}

Names lines_of(const std::vector<Comparison>& comparisons) {
  Names result;
  for (const auto& one : comparisons)
    result.push_back(one.id + " " + one.metric + " " + one.baseline + " " + one.candidate);
  return result;
}

}  // namespace

TEST_CASE("an ablation is one group a configuration, and a comparison a switch") {
  const Catalogue designed = ablation_of(toy_catalogue(), "toy", {"step"}, {});
  const auto& scenario = designed.scenarios[0];
  REQUIRE(scenario.groups.size() == 1);
  CHECK(scenario.groups[0].name == "toy.step");
  CHECK(scenario.groups[0].configurations ==
        Names{"toy.step", "toy.step{off=all}", "toy.step{off=t.trace}", "toy.step{off=t.fuse}", "toy.step{off=t.pack}",
              "toy.step{on=t.trace}", "toy.step{on=t.trace+t.fuse}", "toy.step{on=t.trace+t.fuse+t.pack}"});
  CHECK(lines_of(scenario.comparisons) ==
        Names{"toy.step_all_off time toy.step toy.step{off=all}",
              "toy.step_without_t_trace time toy.step toy.step{off=t.trace}",
              "toy.step_without_t_fuse time toy.step toy.step{off=t.fuse}",
              "toy.step_without_t_pack time toy.step toy.step{off=t.pack}",
              "toy.step_only_t_trace time toy.step{off=all} toy.step{on=t.trace}",
              "toy.step_only_t_fuse time toy.step{on=t.trace} toy.step{on=t.trace+t.fuse}",
              "toy.step_only_t_pack time toy.step{on=t.trace+t.fuse} toy.step{on=t.trace+t.fuse+t.pack}"});
  CHECK(reason_of(designed, "t.isa") == "no such CPU");
  CHECK_NOTHROW(validate(designed));
}

TEST_CASE("what no ablated configuration needs is not measured") {
  const Catalogue designed = ablation_of(toy_catalogue(), "toy", {"toy.step"}, {});
  CHECK(designed.find("toy.weights") != nullptr);
  CHECK(designed.find("toy.fit") == nullptr);
  CHECK(designed.find("toy.call") == nullptr);
}

TEST_CASE("without a word of the scenario every time of what switches nothing off is ablated") {
  const auto groups = ablation_of(toy_catalogue(), "toy", {}, {}).scenarios[0].groups;
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].name == "toy.step");
  CHECK(groups[1].name == "toy.call");
}

TEST_CASE("what the scenario declares is ablated, and nothing else") {
  Catalogue catalogue = toy_catalogue();
  catalogue.scenarios[0].ablations = {{"toy.step", "bytes"}};
  const Catalogue designed = ablation_of(catalogue, "toy", {}, {});
  CHECK(designed.scenarios[0].groups.size() == 1);
  CHECK(designed.scenarios[0].comparisons[0].metric == "bytes");
}

TEST_CASE("an ablation may concern some controls alone") {
  Catalogue catalogue = toy_catalogue();
  catalogue.scenarios[0].ablations = {{"toy.step", "time", "t.f"}};
  catalogue.controls[1].needs.clear();
  const Catalogue designed = ablation_of(catalogue, "toy", {}, {});
  CHECK(designed.scenarios[0].groups[0].configurations ==
        Names{"toy.step", "toy.step{off=all}", "toy.step{off=t.fuse}", "toy.step{on=t.fuse}"});
  CHECK(reason_of(designed, "t.trace") == "it has no part in what is ablated");
}

TEST_CASE("a control that is off everywhere takes no part, nor does what needs it") {
  const Catalogue designed = ablation_of(toy_catalogue(), "toy", {"call"}, {"t.fuse"});
  CHECK(designed.scenarios[0].groups[0].configurations ==
        Names{"toy.call", "toy.call{off=all}", "toy.call{off=t.trace}", "toy.call{on=t.trace}"});
  CHECK(reason_of(designed, "t.fuse") == "it is off everywhere in this run");
  CHECK(reason_of(designed, "t.pack") == "it needs t.fuse, which takes no part");
  CHECK(reason_of(designed, "t.trace") == "acts");
}

TEST_CASE("an ablation of nothing is refused, and wrong names name the right ones") {
  const Catalogue catalogue = toy_catalogue();
  const auto message = [&](const Names& cases, const Names& off) -> std::string {
    try {
      ablation_of(catalogue, "toy", cases, off);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  CHECK_THAT(message({"stp"}, {}), Catch::Contains("did you mean 'toy.step'?"));
  CHECK_THAT(message({"step{mod=eager}"}, {}), Catch::Contains("did you mean 'mode'?"));
  CHECK_THAT(message({"step{mode=eager}"}, {}), Catch::Contains("switches controls off itself"));
  CHECK_THAT(message({"step{off=t.fuse}"}, {}), Catch::Contains("switches controls off itself"));
  CHECK_THAT(message({"fit"}, {}), Catch::Contains("only timed cases"));
  CHECK_THAT(message({}, {"all"}), Catch::Contains("no control of toy can act"));
}
