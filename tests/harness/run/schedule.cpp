#include "harness/run/schedule.hpp"

#include <algorithm>
#include <set>

#include "tests/catch.hpp"

using namespace assay::harness;

namespace {

CaseInfo offered_case(const std::string& name, CaseKind kind, std::vector<Dependency> needs = {}) {
  CaseInfo result;
  result.name = name;
  result.kind = kind;
  result.parameters = {{"mode", {"a", "b", "c"}, "a", {}}};
  result.needs = std::move(needs);
  return result;
}

/// fit (trained) needs prune's mask of its own seed and the weights; step and call (timed) need the weights.
std::vector<ProgramCatalogue> toy() {
  ScenarioInfo s;
  s.name = "toy";
  const Dependency weights{"weights", "toy.weights", false};
  s.cases = {offered_case("toy.step", CaseKind::timed, {weights}), offered_case("toy.call", CaseKind::timed, {weights}),
             offered_case("toy.fit", CaseKind::trained, {{"mask", "toy.mask", true}, weights}),
             offered_case("toy.mask", CaseKind::trained, {weights}), offered_case("toy.weights", CaseKind::exact)};
  s.groups = {{"toy.step", {"toy.step", "toy.step{mode=b}", "toy.step{mode=c}"}},
              {"toy.call", {"toy.call", "toy.call{mode=b}"}}};
  Catalogue catalogue;
  catalogue.program = {{"name", "p"}};
  catalogue.scenarios = {s};
  return {{"/p", catalogue}};
}

Profile profile(int rounds, int seeds) {
  Profile result;
  result.name = "quick";
  result.rounds = rounds;
  result.seeds = seeds;
  return result;
}

std::vector<std::string> places(const std::vector<ScheduleStep>& steps) {
  std::vector<std::string> result;
  for (const auto& step : steps)
    result.push_back(step.group + " " + std::to_string(step.round) + " " + std::to_string(step.seed));
  return result;
}

}  // namespace

TEST_CASE("needed cases come first, then what is trained seed by seed, then the rounds of all groups in turn") {
  CHECK(places(schedule(toy(), profile(2, 2), {"toy"}, 5)) ==
        std::vector<std::string>{"toy.weights 1 5", "toy.mask 1 5", "toy.fit 1 5", "toy.mask 2 6", "toy.fit 2 6",
                                 "toy.step 1 5", "toy.call 1 5", "toy.step 2 5", "toy.call 2 5"});
}

TEST_CASE("a schedule follows from its seed alone, a round holds every configuration of its group once") {
  const auto first = schedule(toy(), profile(40, 2), {"toy"}, 5);
  CHECK(first == schedule(toy(), profile(40, 2), {"toy"}, 5));
  CHECK(first != schedule(toy(), profile(40, 2), {"toy"}, 6));
  std::set<std::vector<ProgramConfiguration>> orders;
  for (const auto& step : first) {
    if (step.group != "toy.step") continue;
    auto sorted = step.members;
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted ==
          std::vector<ProgramConfiguration>{{"p", "toy.step"}, {"p", "toy.step{mode=b}"}, {"p", "toy.step{mode=c}"}});
    orders.insert(step.members);
  }
  CHECK(orders.size() == 6);  // all permutations of three turn up in 40 rounds
}

TEST_CASE("the order of one group does not hang on which others are run") {
  auto fewer = toy();
  fewer[0].catalogue.scenarios[0].groups.erase(fewer[0].catalogue.scenarios[0].groups.begin() + 1);
  const auto all = schedule(toy(), profile(6, 1), {"toy"}, 9), some = schedule(fewer, profile(6, 1), {"toy"}, 9);
  const auto of_step = [](std::vector<ScheduleStep> steps) {
    std::erase_if(steps, [](const ScheduleStep& s) { return s.group != "toy.step"; });
    return steps;
  };
  CHECK(of_step(all) == of_step(some));
}

TEST_CASE("a step is read back as it was written") {
  for (const auto& step : schedule(toy(), profile(2, 2), {"toy"}, 5)) CHECK(read_schedule_step(to_json(step)) == step);
}

TEST_CASE("needs in a circle, of something timed and of nobody are errors that name them") {
  auto offers = toy();
  auto& cases = offers[0].catalogue.scenarios[0].cases;
  std::string expected;
  SECTION("circle") {
    cases[3].needs.push_back({"model", "toy.fit", true});
    expected = "circle";
  }
  SECTION("timed") {
    cases[2].needs.push_back({"x", "toy.step", false});
    expected = "is timed";
  }
  SECTION("nobody") {
    cases[2].needs.push_back({"x", "toy.nothing", false});
    expected = "toy.nothing";
  }
  CHECK_THROWS_WITH(schedule(offers, profile(1, 1), {"toy"}, 0), Catch::Matchers::Contains(expected));
}

TEST_CASE("two programs share the rounds of a group, what one does not offer comes from the first") {
  auto offers = toy();
  auto peer = offers[0];
  peer.catalogue.program["name"] = "peer";
  auto& scenario = peer.catalogue.scenarios[0];
  scenario.cases.resize(1);
  scenario.groups = {{"toy.step", {"toy.step"}}};
  offers.push_back(peer);
  const auto steps = schedule(offers, profile(1, 1), {"toy"}, 0);
  const auto step =
      std::find_if(steps.begin(), steps.end(), [](const ScheduleStep& s) { return s.group == "toy.step"; });
  REQUIRE(step != steps.end());
  CHECK(step->members.size() == 4);
  CHECK(std::count(step->members.begin(), step->members.end(), ProgramConfiguration{"peer", "toy.step"}) == 1);
  CHECK(producer_of(offers, "peer", {"weights", "toy.weights", false}) == ProgramConfiguration{"p", "toy.weights"});
}
