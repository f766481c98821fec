#include "harness/gate/gate_schedule.hpp"

#include <map>

#include "harness/errors/errors.hpp"
#include "harness/gate/selection.hpp"
#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

json one_case(const std::string& name, const std::string& kind, const json& needs = json::array()) {
  return {{"name", "toy." + name},
          {"kind", kind},
          {"parameters", {{{"name", "mode"}, {"values", {"fast", "slow"}}, {"default", "fast"}}}},
          {"metrics",
           {{{"name", "time"}, {"unit", "ns"}, {"better", "lower"}},
            {{"name", "count"}, {"unit", "count"}, {"better", "lower"}}}},
          {"needs", needs}};
}

json gated(const std::string& configuration, const std::string& metric, const json& effect) {
  return {{"configuration", configuration}, {"metric", metric}, {"effect", effect}};
}

Catalogue catalogue(const json& gates, const json& cases) {
  return read_catalogue({{"protocol", 1},
                         {"program", {{"name", "toy"}}},
                         {"profiles", {{{"name", "quick"}, {"rounds", 6}, {"repetitions", 3}, {"seeds", 6}}}},
                         {"scenarios", {{{"name", "toy"}, {"cases", cases}, {"gates", gates}}}}},
                        "toy");
}

json all_cases() {
  return {one_case("step", "timed", {{{"artifact", "weights"}, {"from", "toy.weights"}}}), one_case("weights", "exact"),
          one_case("count", "exact")};
}

json all_gates() {
  return {gated("toy.step", "time", 0.03), gated("toy.step{mode=slow}", "time", 0.05),
          gated("toy.step", "count", nullptr), gated("toy.count", "count", nullptr)};
}

std::vector<ProgramCatalogue> offers_of(const Catalogue& one) {
  std::vector<ProgramCatalogue> programs(3, ProgramCatalogue{"/x", one});
  for (std::size_t i = 0; i < 3; ++i) {
    programs[i].catalogue.program["name"] = std::array{candidate_name, baseline_name, null_name}[i];
    programs[i].shares_needs = i > 0;
  }
  return programs;
}

GateSchedule steps(std::uint64_t order_seed = 1) {
  const auto one = catalogue(all_gates(), all_cases());
  return gate_schedule(offers_of(one), select_benchmarks(one, one, {}).both, 16, 0, order_seed);
}

std::vector<std::string> verdicts_of(const GateSelection& selection) {
  std::vector<std::string> verdicts;
  for (const auto& one : selection.unmeasured) verdicts.push_back(one.verdict);
  return verdicts;
}

std::string order_of(const ScheduleStep& step) {
  std::string order;
  for (const auto& member : step.members) order += member.program == candidate_name ? 'B' : 'A';
  return order;
}

}  // namespace

TEST_CASE("what is needed comes first and is made by the candidate alone") {
  const auto made = steps();
  REQUIRE(made.steps.size() == 2 + 2 * 32);
  CHECK(made.places.size() == made.steps.size());
  CHECK(made.steps[0].members == std::vector<ProgramConfiguration>{{candidate_name, "toy.weights"}});
  const auto one = catalogue(all_gates(), all_cases());
  const auto programs = offers_of(one);
  const Dependency need = case_of(programs, {baseline_name, "toy.step"}).needs.front();
  CHECK(producer_of(programs, baseline_name, need).program == candidate_name);
}

TEST_CASE("what is counted is run once a side, and not at all where rounds count it") {
  const auto made = steps();
  CHECK(made.steps[1].members ==
        std::vector<ProgramConfiguration>{{candidate_name, "toy.count"}, {baseline_name, "toy.count"}});
  CHECK(made.places[1].stage == 0);
}

TEST_CASE("rounds go through all benchmarks, stage 1 before stage 2") {
  const auto made = steps();
  CHECK(made.places[2].configuration == "toy.step");
  CHECK(made.places[3].configuration == "toy.step{mode=slow}");
  CHECK(made.places[3].round == 1);
  CHECK(made.places[4].round == 2);
  CHECK(made.places[2 + 32].stage == 2);
  CHECK(made.places[2 + 32].round == 1);
  for (std::size_t i = 2; i < made.steps.size(); ++i) {
    CHECK(made.steps[i].members.size() == 4);
    CHECK(std::count(made.steps[i].members.begin(), made.steps[i].members.end(),
                     ProgramConfiguration{candidate_name, made.steps[i].group}) == 2);
    CHECK(std::count(made.steps[i].members.begin(), made.steps[i].members.end(),
                     ProgramConfiguration{null_name, made.steps[i].group}) == 1);
  }
}

TEST_CASE("all six arrangements are drawn alike, and either baseline slot is the copy's") {
  std::map<std::string, int> count;
  int copy_first = 0, rounds = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const auto& step : steps(seed).steps) {
      if (step.members.size() != 4) continue;
      ++rounds;
      ++count[order_of(step)];
      for (const auto& member : step.members)
        if (member.program != candidate_name) {
          copy_first += member.program == null_name;
          break;
        }
    }
  CHECK(count.size() == 6);
  for (const auto& [order, times] : count)
    CHECK(times == Approx(rounds / 6.0).epsilon(0.1));  // 6400 rounds: 4 sd is 11 %
  CHECK(copy_first == Approx(rounds / 2.0).epsilon(0.06));
  CHECK(steps(7).steps == steps(7).steps);
  CHECK_FALSE(steps(7).steps == steps(8).steps);
}

TEST_CASE("benchmarks are chosen by scenario, case or configuration") {
  const auto one = catalogue(all_gates(), all_cases());
  CHECK(select_benchmarks(one, one, {}).both.size() == 4);
  CHECK(select_benchmarks(one, one, {"toy"}).both.size() == 4);
  CHECK(select_benchmarks(one, one, {"toy.step"}).both.size() == 3);
  CHECK(select_benchmarks(one, one, {"toy.step{mode=slow}"}).both.size() == 1);
  CHECK(select_benchmarks(one, one, {}).timed() == 2);
  CHECK(select_benchmarks(one, one, {"toy.step{mode=slow}"}).both.front().preset == Preset{0.05, 0.08});
  CHECK_THROWS_AS(select_benchmarks(one, one, {"toy.weights"}), CommandError);  // nothing of it is gated
}

TEST_CASE("what one side lacks is new or gone") {
  const auto all = catalogue(all_gates(), all_cases());
  const auto fewer =
      catalogue(json::array({gated("toy.count", "count", nullptr)}), json::array({one_case("count", "exact")}));
  const auto fresh = select_benchmarks(all, fewer, {});
  CHECK(fresh.both.size() == 1);
  CHECK(verdicts_of(fresh) == std::vector<std::string>(3, "new"));
  const auto gone = select_benchmarks(fewer, all, {});
  CHECK(gone.both.size() == 1);
  CHECK(verdicts_of(gone) == std::vector<std::string>(3, "gone"));
}

TEST_CASE("a gate that the candidate drops is judged as the baseline declares it") {
  const auto before = catalogue(all_gates(), all_cases());
  const auto now = catalogue(json::array({gated("toy.step", "time", 0.03)}), all_cases());
  const auto selection = select_benchmarks(now, before, {});
  CHECK(selection.both.size() == 4);
  CHECK(selection.unmeasured.empty());
  CHECK(selection.both[0].note.empty());
  for (std::size_t i = 1; i < 4; ++i) CHECK_THAT(selection.both[i].note, Catch::Contains("does not gate it any more"));
  CHECK(selection.both[1].preset == Preset{0.05, 0.08});
  CHECK(selection.timed() == 2);
}

TEST_CASE("an effect that the candidate loosens is the baseline's, one that it tightens its own") {
  const auto chosen = [](const json& before, const json& now) {
    const auto selection =
        select_benchmarks(catalogue(json::array({gated("toy.step", "time", now)}), all_cases()),
                          catalogue(json::array({gated("toy.step", "time", before)}), all_cases()), {});
    REQUIRE(selection.both.size() == 1);
    return selection.both.front();
  };
  CHECK(chosen(0.03, 0.9).preset == Preset{0.03, 0.05});
  CHECK_THAT(chosen(0.03, 0.9).note, Catch::Contains("an effect of 3 %, the candidate an effect of 90 %"));
  CHECK(chosen(0.03, 0.02).preset == Preset{0.02, 0.035});
  CHECK(chosen(0.03, 0.02).note.empty());
  CHECK(chosen(0.03, 0.03).note.empty());
  CHECK(chosen(0.03, nullptr).preset ==
        Preset{0.03, 0.05});  // a time that is exact never repeats: nothing would judge it
  CHECK(chosen(nullptr, 0.9).exact());
  CHECK_THAT(chosen(nullptr, 0.9).note, Catch::Contains("an exact number, the candidate an effect of 90 %"));
}

TEST_CASE("a better direction that the candidate turns round is the baseline's, and another unit is not compared") {
  const auto before = catalogue(all_gates(), all_cases());
  json cases = all_cases();
  cases[0]["metrics"][0]["better"] = "higher";
  cases[0]["metrics"][1]["unit"] = "thousands";
  const auto selection = select_benchmarks(catalogue(all_gates(), cases), before, {});
  REQUIRE(selection.both.size() == 3);
  CHECK(selection.both[0].better == "lower");
  CHECK_THAT(selection.both[0].note, Catch::Contains("lower is better, in the candidate higher"));
  CHECK(verdicts_of(selection) == std::vector<std::string>{"invalid"});
  CHECK_THAT(selection.unmeasured[0].reason, Catch::Contains("'count' in the baseline and 'thousands'"));
}

TEST_CASE("a benchmark knows the line that declares it") {
  json gates = all_gates();
  gates[0]["declared_at"] = {{"file", "scenarios/toy/toy.cpp"}, {"line", 12}};
  const auto one = catalogue(gates, all_cases());
  const auto both = select_benchmarks(one, one, {}).both;
  CHECK(both[0].declared_at.file == "scenarios/toy/toy.cpp");
  CHECK(both[0].declared_at.line == 12);
  CHECK(both[1].declared_at.file.empty());
  const auto dropped = select_benchmarks(catalogue(json::array({all_gates()[1]}), all_cases()), one, {}).both[1];
  CHECK(dropped.configuration == "toy.step");
  CHECK(dropped.declared_at.file == "scenarios/toy/toy.cpp");
  CHECK(dropped.declared_at.line == 1);
  gates[0]["declared_at"]["line"] = 0;
  CHECK_THROWS_AS(catalogue(gates, all_cases()), CatalogueError);
}

TEST_CASE("a gate of what is not reported, not timed or twice there is refused") {
  const auto refused = [](const json& gates) {
    REQUIRE(gates.is_array());
    CHECK_THROWS_AS(catalogue(gates, all_cases()), CatalogueError);
  };
  refused(json::array({gated("toy.step", "watts", 0.03)}));
  refused(json::array({gated("toy.count", "time", 0.03)}));
  refused(json::array({gated("toy.step", "time", 0)}));
  refused(json::array({gated("toy.step", "time", 1.5)}));
  refused(json::array({gated("toy.other", "time", 0.03)}));
  refused(json::array({gated("toy.step", "time", 0.03), gated("toy.step{mode=fast}", "time", 0.05)}));
  refused(json::array({{{"configuration", "toy.step"}, {"metric", "time"}}}));
}
