#include "harness/gate/section.hpp"

#include "tests/catch.hpp"
#include "tests/harness/gate/made_gate.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

const GateRound same{100, 100.1, 100.2, 99.9}, slower{100, 100.1, 110, 110.2}, faster{100, 100.1, 90, 90.2};

json only_row(const json& section) {
  REQUIRE(section.at("benchmarks").size() == 1);
  return section.at("benchmarks").at(0);
}

std::string first_cause(const json& section) { return section.at("exit").at("causes").at(0); }

}  // namespace

TEST_CASE("what is the same ends after four rounds and passes") {
  MadeGate gate({timed_benchmark()});
  auto running = gate.sequential_gate();
  CHECK(gate.run(running, "toy.step", same) == 4);
  const auto section = section_of(running);
  CHECK(only_row(section).at("verdict") == "same");
  CHECK(section.at("exit").at("code") == 0);
  CHECK(section.at("counts") == json{{"same", 1}});
  CHECK(section.at("processes") == 16);
}

TEST_CASE("a slower candidate is confirmed by eight fresh rounds") {
  MadeGate gate({timed_benchmark()});
  auto running = gate.sequential_gate();
  CHECK(gate.run(running, "toy.step", slower) == 4 + 8);
  const auto section = section_of(running);
  const auto row = only_row(section);
  CHECK(row.at("verdict") == "regressed");
  CHECK(row.at("stage") == 2);
  CHECK(row.at("estimate").get<double>() == Approx(1.1).epsilon(0.002));
  CHECK(row.at("low") <= row.at("estimate"));
  CHECK(row.at("samples").size() == 12);
  CHECK(section.at("exit").at("code") == 1);
  CHECK(first_cause(section) == "toy.step step_time regressed");
}

TEST_CASE("a faster candidate is improved, and where more is better the ratio turns round") {
  MadeGate gate({timed_benchmark("toy.step", "higher")});
  auto running = gate.sequential_gate();
  gate.run(running, "toy.step", slower);
  const auto row = only_row(section_of(running));
  CHECK(row.at("verdict") == "improved");
  CHECK(row.at("estimate").get<double>() == Approx(1.1).epsilon(0.002));
  CHECK(section_of(running).at("exit").at("code") == 0);
}

TEST_CASE("an unconfirmed change is undecided and leaves the code alone") {
  MadeGate gate({timed_benchmark()});
  auto running = gate.sequential_gate();
  gate.run(running, "toy.step", slower, 4);
  CHECK(gate.run(running, "toy.step", faster) == 16);
  const auto section = section_of(running);
  CHECK(only_row(section).at("verdict") == "undecided");
  CHECK(only_row(section).at("reason") == "not confirmed by fresh rounds");
  CHECK(section.at("exit").at("code") == 0);
  CHECK(section_of(running, true).at("exit").at("code") == 1);
}

TEST_CASE("a budget that ended says after how many rounds") {
  MadeGate gate({timed_benchmark()});
  auto running = gate.sequential_gate();
  gate.run(running, "toy.step", slower, 3);
  CHECK(only_row(section_of(running)).at("reason") == "the budget ended after 3 of the 4 rounds of its first look");
  gate.run(running, "toy.step", slower, 2);
  const auto row = only_row(section_of(running));
  CHECK(row.at("verdict") == "undecided");
  CHECK(row.at("reason") == "not confirmed: the budget ended before it could be");
  CHECK(row.at("minimum_detectable_effect").is_number());
}

TEST_CASE("no round at all is nothing measured") {
  MadeGate gate({timed_benchmark()});
  const auto section = section_of(gate.sequential_gate());
  CHECK(section.at("exit").at("code") == 4);
  CHECK(first_cause(section).find("no room for one round") != std::string::npos);
}

TEST_CASE("exact counts need no statistics") {
  struct Expected {
    double before, after;
    const char *better, *verdict;
    int code;
  };
  for (const auto& expected : {Expected{1200, 1210, "lower", "regressed", 1},
                               {1200, 1190, "lower", "improved", 0},
                               {1200, 1200, "lower", "same", 0},
                               {0.93, 0.92, "higher", "regressed", 1},
                               {3, 4, "", "changed", 0}}) {
    MadeGate gate({counted_benchmark("toy.count", expected.better)});
    auto running = gate.sequential_gate();
    gate.process(running, 0, "baseline", "toy.count", "kernels", expected.before);
    gate.process(running, 0, "candidate", "toy.count", "kernels", expected.after);
    gate.close(running, 0);
    const auto section = section_of(running);
    CHECK(only_row(section).at("verdict") == expected.verdict);
    CHECK(section.at("exit").at("code") == expected.code);
  }
}

TEST_CASE("a count that does not repeat is no exact number") {
  MadeGate gate({counted_benchmark()});
  auto running = gate.sequential_gate();
  gate.process(running, 0, "baseline", "toy.count", "kernels", 5);
  gate.process(running, 0, "candidate", "toy.count", "kernels", 5);
  gate.process(running, 0, "candidate", "toy.count", "kernels", 6);
  gate.close(running, 0);
  CHECK(only_row(section_of(running)).at("verdict") == "invalid");
}

TEST_CASE("a candidate that fails or answers wrongly is exit 3, a baseline that does is only invalid") {
  const json wrong = {{{"event", "check"}, {"name", "answer"}, {"passed", false}, {"measured", 0.5}, {"limit", 1e-6}}};
  for (const std::string program : {"candidate", "baseline"}) {
    MadeGate gate({timed_benchmark(), timed_benchmark("toy.other")});
    auto running = gate.sequential_gate();
    gate.run(running, "toy.other", same);
    const auto step = *gate.next(running, "toy.step");
    gate.process(running, step, program, "toy.step", "step_time", 100, wrong);
    gate.close(running, step);
    CHECK_FALSE(gate.next(running, "toy.step"));
    const auto section = section_of(running);
    CHECK(section.at("benchmarks").at(0).at("verdict") == "invalid");
    CHECK(section.at("benchmarks").at(0).at("reason") == program + ": check \"answer\" failed: 0.5, limit 1e-06");
    CHECK(section.at("exit").at("code") == (program == "candidate" ? 3 : 0));

    auto broken = gate.sequential_gate();
    gate.close(broken, step,
               {{{"program", program}, {"configuration", "toy.step"}, {"status", "failed"}, {"reason", "it died"}}});
    gate.close(broken, step);
    CHECK(section_of(broken).at("exit").at("code") == (program == "candidate" ? 3 : 4));
  }
}

TEST_CASE("where both sides answer wrongly or break, it is exit 3 in every order") {
  const json wrong = {{{"event", "check"}, {"name", "answer"}, {"passed", false}, {"measured", 0.5}, {"limit", 1e-6}}};
  for (std::vector<std::string> order : {std::vector<std::string>{"baseline", "candidate"}, {"candidate", "null"}}) {
    MadeGate gate({timed_benchmark()});
    auto running = gate.sequential_gate();
    const auto step = *gate.next(running, "toy.step");
    for (const auto& program : order) gate.process(running, step, program, "toy.step", "step_time", 100, wrong);
    gate.close(running, step);
    const auto section = section_of(running);
    CHECK(section.at("exit").at("code") == 3);
    const std::string reason = only_row(section).at("reason");
    for (const auto& program : order) CHECK(reason.find(program + ": check \"answer\" failed") != std::string::npos);

    auto without_numbers = gate.sequential_gate();
    for (const auto& program : order)
      gate.process(without_numbers, step, program, "toy.step", "step_time", program == "candidate" ? json() : json(0));
    gate.close(without_numbers, step);
    CHECK(section_of(without_numbers).at("exit").at("code") == 3);

    auto broken = gate.sequential_gate();
    json left = json::array();
    for (const auto& program : order)
      left.push_back({{"program", program}, {"configuration", "toy.step"}, {"status", "failed"}, {"reason", "died"}});
    gate.close(broken, step, left);
    CHECK(section_of(broken).at("exit").at("code") == 3);
  }
}

TEST_CASE("a candidate that breaks is exit 3 although the baseline's answer is wrong, whichever was seen first") {
  const json wrong = {{{"event", "check"}, {"name", "answer"}, {"passed", false}, {"measured", 0.5}, {"limit", 1e-6}}};
  MadeGate gate({timed_benchmark()});
  auto running = gate.sequential_gate();
  const auto step = *gate.next(running, "toy.step");
  gate.process(running, step, "baseline", "toy.step", "step_time", 100, wrong);
  gate.process(running, step, "candidate", "toy.step", "step_time", nullptr);
  gate.close(running, step);
  CHECK(section_of(running).at("exit").at("code") == 3);
}

TEST_CASE("a wrong answer of what makes an artifact is the candidate's too") {
  const json wrong = {{{"event", "check"}, {"name", "answer"}, {"passed", false}, {"measured", 0.5}, {"limit", 1e-6}}};
  MadeGate gate({timed_benchmark()});
  auto running = gate.sequential_gate();
  gate.process(running, 0, "candidate", "toy.weights", "bytes", 1, wrong);
  running.apply({{"record", "round"}, {"step", 0}, {"complete", false}, {"left", json::array()}});
  gate.run(running, "toy.step", same);
  const auto section = section_of(running);
  CHECK(section.at("exit").at("code") == 3);
  CHECK(first_cause(section).find("toy.weights: candidate: check \"answer\" failed") == 0);
}

TEST_CASE("a service that runs beside a round is no sample of it") {
  MadeGate gate({timed_benchmark()});
  auto running = gate.sequential_gate();
  const auto step = *gate.next(running, "toy.step");
  running.apply({{"record", "process"},
                 {"step", nullptr},
                 {"program", "candidate"},
                 {"configuration", "toy.server"},
                 {"status", "ok"},
                 {"steal_percent", 0},
                 {"wall_s", 1},
                 {"events", {{{"event", "ready"}, {"port", 1}}}}});
  gate.round(running, step, same);
  CHECK(gate.run(running, "toy.step", same) == 3);
  const auto section = section_of(running);
  CHECK(only_row(section).at("verdict") == "same");
  CHECK(section.at("exit").at("code") == 0);
}

TEST_CASE("a failed case stands above a regression") {
  MadeGate gate({timed_benchmark(), timed_benchmark("toy.other")});
  auto running = gate.sequential_gate();
  gate.run(running, "toy.other", slower);
  gate.close(running, *gate.next(running, "toy.step"),
             {{{"program", "candidate"}, {"configuration", "toy.step"}, {"status", "failed"}, {"reason", "it died"}}});
  const auto section = section_of(running);
  CHECK(section.at("exit").at("code") == 3);
  CHECK(section.at("exit").at("causes").size() == 2);  // both are listed
}

TEST_CASE("a baseline that differs from its copy judges no time, but counts still do") {
  MadeGate gate({timed_benchmark("toy.a"), timed_benchmark("toy.b"), timed_benchmark("toy.c"), counted_benchmark()});
  auto running = gate.sequential_gate();
  for (const char* name : {"toy.a", "toy.b", "toy.c"}) gate.run(running, name, {100, 104, 112, 112}, 4);
  CHECK_FALSE(gate.next(running, "toy.a"));  // candidates, and yet no second stage
  const auto section = section_of(running);
  CHECK(section.at("null_control").at("alarm") == true);
  CHECK(section.at("exit").at("code") == 5);
  CHECK(section.at("benchmarks").at(0).at("verdict") == "invalid");
  CHECK(section.at("benchmarks").at(0).at("estimate").is_null());

  gate.process(running, 0, "baseline", "toy.count", "kernels", 1);
  gate.process(running, 0, "candidate", "toy.count", "kernels", 2);
  gate.close(running, 0);
  CHECK(section_of(running).at("exit").at("code") == 1);
}

TEST_CASE("a regression whose own baseline copy is off is invalid") {
  // The other benchmarks' copies are as often faster as slower, so that the gate's control stays silent.
  std::vector<GateBenchmark> benchmarks{timed_benchmark("toy.bad")};
  for (const char* name : {"toy.a", "toy.b", "toy.c"}) benchmarks.push_back(timed_benchmark(name));
  MadeGate gate(benchmarks);
  auto running = gate.sequential_gate();
  for (const char* name : {"toy.a", "toy.b", "toy.c"}) gate.run(running, name, {100, 99.9, 100, 100});
  gate.run(running, "toy.bad", {100, 103, 112, 112});
  const auto section = section_of(running);
  CHECK(section.at("null_control").at("alarm") == false);
  CHECK(section.at("benchmarks").at(0).at("verdict") == "invalid");
  CHECK(section.at("benchmarks").at(0).at("null").at("alarm") == true);
  CHECK(section.at("exit").at("code") == 5);
}

TEST_CASE("a machine that others use judges no time") {
  MadeGate gate({timed_benchmark()});
  gate.steal = 2.1;
  auto running = gate.sequential_gate();
  gate.run(running, "toy.step", slower);
  const auto section = section_of(running);
  CHECK(section.at("exit").at("code") == 5);
  CHECK(first_cause(section).find("median steal") != std::string::npos);
  CHECK(only_row(section).at("verdict") == "invalid");
}

TEST_CASE("what only one side has leaves the code alone") {
  MadeGate gate({timed_benchmark()});
  auto running = gate.sequential_gate();
  gate.run(running, "toy.step", same);
  GateSelection others;
  others.unmeasured = {{timed_benchmark("toy.fresh"), "new", "the baseline does not have it"},
                       {timed_benchmark("toy.old"), "gone", "the candidate does not have it any more"}};
  const auto section = section_of(running, false, others);
  CHECK(section.at("counts") == json{{"same", 1}, {"new", 1}, {"gone", 1}});
  CHECK(section.at("exit").at("code") == 0);
}

TEST_CASE("what this machine's calibration calls too noisy is left out, and said") {
  MadeGate gate({timed_benchmark()});
  auto running = gate.sequential_gate();
  gate.run(running, "toy.step", same);
  GateSelection others;
  others.unmeasured = {{timed_benchmark("toy.noisy"), "skipped", "too noisy to gate here"}};
  const auto section = section_of(running, false, others);
  CHECK(section.at("counts") == json{{"same", 1}, {"skipped", 1}});
  CHECK(section.at("exit").at("code") == 0);
}

TEST_CASE("a copy that is told from itself is the machine's fault, and the next preset is named") {
  for (const GateRound& differs : {slower, GateRound{slower.b1, slower.b2, slower.a, slower.null_a}}) {
    MadeGate gate({timed_benchmark()});
    auto running = gate.sequential_gate();
    gate.run(running, "toy.step", differs);
    GateTerms terms;
    terms.self = true;
    const auto section = gate_section(running, {}, terms);
    CHECK(section.at("exit").at("code") == 5);
    CHECK(first_cause(section).find("--floor 0.05") != std::string::npos);
  }
}

TEST_CASE("a ratio past the largest number is no verdict") {
  MadeGate gate({timed_benchmark()});
  auto running = gate.sequential_gate();
  gate.run(running, "toy.step", {1e-306, 1e-306, 1e300, 1e300});
  const auto section = section_of(running);
  CHECK(only_row(section).at("verdict") == "invalid");
  CHECK(only_row(section).at("estimate").is_null());
  CHECK(section.dump().find("inf") == std::string::npos);
}

TEST_CASE("samples that are no positive number make a benchmark invalid") {
  for (const json& value : {json(nullptr), json(0.0), json(-1.0)}) {
    MadeGate gate({timed_benchmark()});
    auto running = gate.sequential_gate();
    const auto step = *gate.next(running, "toy.step");
    for (const char* program : {"baseline", "null", "candidate", "candidate"})
      gate.process(running, step, program, "toy.step", "step_time", value);
    gate.close(running, step);
    CHECK(only_row(section_of(running)).at("verdict") == "invalid");
  }
}

TEST_CASE("the bound of false alarms is printed from the benchmarks that are run") {
  std::vector<GateBenchmark> twenty;
  for (int i = 0; i < 20; ++i) twenty.push_back(timed_benchmark("toy.step" + std::to_string(i)));
  MadeGate gate(twenty);
  const auto section = section_of(gate.sequential_gate());
  CHECK(section.at("false_alarm_bound").at("regressed").get<double>() == Approx(0.0094).epsilon(0.005));
  CHECK(section.at("false_alarm_bound").at("regressed_or_improved").get<double>() == Approx(0.0188).epsilon(0.005));
  CHECK(section.at("confirming") == json{{"at_8", 26}, {"at_16", 45}});
}
