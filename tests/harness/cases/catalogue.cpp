#include "harness/cases/catalogue.hpp"

#include "tests/catch.hpp"
#include "tests/harness/spoilt.hpp"

using namespace assay::harness;

namespace {

Program toy() {
  Program program;
  program.name = "toy";
  program.profiles = {{"quick", 6, 3, 6, {{"t.epochs", 2}, {"rows", 9}, {"u.epochs", 3}}}};
  program.controls = [](const std::vector<std::string>&) {
    return std::vector<ControlInfo>{{"c.one", "", true, true, "", {}, {}}};
  };
  Scenario s("t", "?");
  const auto nothing = [](const Parameters&, Reporter&) {};
  s.timed("step", nothing)
      .parameter("mode", {"traced", "eager"})
      .parameter("batch", {"1", "8"})
      .stands_for("mode", "eager", {{"c.one"}, {{"V", "1"}}})
      .metric("time", "ns", "lower")
      .needs("w", "t.weights");
  s.exact("weights", nothing).metric("bytes", "B", "");
  s.group("step", {"step{mode=traced}", "step{mode=eager,batch=1}"});
  s.compare({"eager", "time", "step{mode=traced}", "step{mode=eager}"});
  program.scenarios.push_back(std::move(s));
  return program;
}

}  // namespace

TEST_CASE("a catalogue has whole names, defaults left out, and is read back as it was written") {
  const auto document = catalogue(toy());
  CHECK(document.at("scenarios")[0].at("groups")[0] ==
        nlohmann::json({{"name", "t.step"}, {"configurations", {"t.step", "t.step{mode=eager}"}}}));
  CHECK(document.at("scenarios")[0].at("comparisons")[0].at("candidate") == "t.step{mode=eager}");
  CHECK(document.at("scenarios")[0].at("cases")[0].at("parameters")[0].at("stands_for").at("eager").at("off")[0] ==
        "c.one");
  CHECK(to_json(read_catalogue(document, "toy")) == document);
}

TEST_CASE("tables that do not fit each other are refused, naming what is wrong") {
  Program program = toy();
  auto& s = program.scenarios[0];
  std::string expected;
  SECTION("unknown metric") { s.comparisons[0].metric = "speed", expected = "'speed', which 't.step' does not report"; }
  SECTION("no shared group") { s.groups.clear(), expected = "are in no group together"; }
  SECTION("unknown value") { s.comparisons[0].candidate = "step{mode=eagre}", expected = "'eagre'"; }
  SECTION("unknown parameter") { s.comparisons[0].candidate = "step{mod=eager}", expected = "'mod'"; }
  SECTION("unknown case") { s.groups[0].configurations[0] = "stp", expected = "'t.stp'"; }
  SECTION("mixed kinds") { s.groups[0].configurations.push_back("weights"), expected = "mixes kinds"; }
  SECTION("need of nobody") { s.cases[0]->needed[0].from = "t.wights", expected = "t.wights"; }
  SECTION("control of nobody") { s.groups[0].configurations.push_back("step{off=c.two}"), expected = "'c.two'"; }
  SECTION("control of nobody, alone on") {
    s.groups[0].configurations.push_back("step{on=c.two}"), expected = "'c.two'";
  }
  SECTION("reserved parameter") { s.cases[0]->parameter("on", {"a"}), expected = "'on' is reserved"; }
  SECTION("ablation of no metric") { s.ablate("step", "speed"), expected = "ablation of 'speed' in 't.step'"; }
  SECTION("ablation of what is not timed") { s.ablate("weights", "bytes"), expected = "expected a timed one"; }
  SECTION("need of a control that nobody has") {
    program.controls = [](const std::vector<std::string>&) {
      return std::vector<ControlInfo>{{"c.one", "", true, true, "", {}, {}, {"c.two"}}};
    };
    expected = "'c.one' needs 'c.two'";
  }
  SECTION("twice") { s.timed("step", {}), expected = "'t.step' is listed twice"; }
  SECTION("form") { s.comparisons[0].form = "quotient", expected = "'quotient'"; }
  CHECK_THROWS_WITH(catalogue(program), Catch::Matchers::Contains(expected));
}

TEST_CASE("a catalogue of another program that breaks the protocol is refused with the place") {
  auto document = catalogue(toy());
  std::string expected;
  SECTION("protocol") { document["protocol"] = 2, expected = "protocol: expected 1"; }
  SECTION("kind") {
    document["scenarios"][0]["cases"][1]["kind"] = "slow",
    expected = "scenarios[0].cases[1].kind: expected timed, trained, exact or service, found 'slow'";
  }
  SECTION("missing") { document["scenarios"][0].erase("cases"), expected = "scenarios[0]: expected 'cases'"; }
  SECTION("type") {
    document["profiles"][0]["rounds"] = "six",
    expected = "profiles[0].rounds: expected a whole number from 1 to 10000, found \"six\"";
  }
  SECTION("far too many rounds") {
    document["profiles"][0]["rounds"] = 4294967297,
    expected = "profiles[0].rounds: expected a whole number from 1 to 10000, found 4294967297";
  }
  SECTION("a name that leaves the run's folder") {
    document["program"]["name"] = "../../home", expected = "program.name: expected a name without spaces";
  }
  SECTION("a version that is no text") {
    document["program"]["version"] = 3, expected = "program.version: expected a string, found 3";
  }
  SECTION("a budget that no clock counts") {
    document["scenarios"][0]["budget_s"]["quick"] = 1e300, expected = "budget_s.quick: expected seconds";
  }
  SECTION("not an object") { document = 3, expected = "the document: expected an object"; }
  CHECK_THROWS_WITH(read_catalogue(document, "peer"),
                    Catch::Matchers::Contains(expected) && Catch::Matchers::StartsWith("peer cases: "));
}

TEST_CASE("a catalogue with one field missing or of another type is refused as such or read, whichever field it is") {
  const auto document = catalogue(toy());
  int refused = 0;
  assay::tests::with_each_field_spoilt(document, [&](const nlohmann::json& spoilt, const std::string& how) {
    INFO(how);
    try {
      to_json(read_catalogue(spoilt, "peer"));
    } catch (const CatalogueError& error) {
      ++refused;
      CHECK_THAT(error.what(), !Catch::Matchers::Contains("json.exception"));
    }
  });
  CHECK(refused > 300);
}

TEST_CASE("lengths reach the cases of their scenario under short names") {
  CHECK(lengths_of(toy().profiles[0], "t") == std::map<std::string, std::int64_t>{{"epochs", 2}, {"rows", 9}});
}
