#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>

#include "harness/cases/reporter.hpp"
#include "harness/files/sha256.hpp"
#include "tests/catch.hpp"
#include "tests/harness/cases/parse_case.hpp"
#include "tests/harness/run/toy.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

Program with(Case::Body body) {
  Program program;
  program.profiles = {{"standard", 10, 3, 6, {{"t.epochs", 5}}}};
  program.controls = [](const std::vector<std::string>& off) {
    for (const auto& name : off)
      if (name != "c.one") throw std::invalid_argument("unknown control " + name);
    return std::vector<ControlInfo>{{"c.one", "", off.empty(), true, "", {}, {}}};
  };
  Scenario s("t", "?");
  s.exact("one", std::move(body)).parameter("mode", {"a", "b"}).stands_for("mode", "b", {{"c.one"}, {}});
  program.scenarios.push_back(std::move(s));
  return program;
}

struct Said {
  int code;
  std::vector<json> events;
};

/// Runs the case with descriptor 1 pointing to a file, as a harness would with a pipe.
Said run(const Program& program, const std::vector<std::string>& more = {}) {
  const toy::Folder folder;
  const auto file = folder.path / "out";
  std::fflush(stdout);
  const int before = dup(STDOUT_FILENO), to = open(file.c_str(), O_CREAT | O_WRONLY, 0600);
  dup2(to, STDOUT_FILENO);
  std::vector<std::string> arguments{"t.one", "--out", folder.path.string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Said said{run_case(program, toy::parse_case(program, arguments)), {}};
  dup2(before, STDOUT_FILENO);
  close(before);
  close(to);
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) said.events.push_back(json::parse(line));
  return said;
}

}  // namespace

TEST_CASE("a case's events come out alone, whatever is printed on standard output") {
  const auto said = run(with([](const Parameters& p, Reporter& report) {
                          std::printf("chatter of a library\n");
                          std::fflush(stdout);
                          report.value("epochs", "", "", static_cast<double>(p.length("epochs")));
                          CHECK(report.check("near", 0.1, 0.2));
                          CHECK_FALSE(report.check("nan", std::nan(""), 0.2));
                        }),
                        {"--set", "mode=b", "--seed", "3"});
  REQUIRE(said.events.size() == 5);
  CHECK(said.code == 0);
  CHECK(said.events[0].at("parameters").at("mode") == "b");
  CHECK(said.events[0].at("seed") == 3);
  CHECK(said.events[0].at("controls")[0].at("on") == false);
  CHECK(said.events[1].at("value") == 5.0);
  CHECK(said.events[3].at("passed") == false);
  CHECK(said.events[3].at("measured").is_null());
  CHECK(said.events[3].at("reason") == "not a number");
  CHECK(said.events[4].at("status") == "ok");
  CHECK(said.events[4].at("peak_bytes") > 1'000'000);
}

TEST_CASE("skipped and thrown end in finish with their reason") {
  const auto skipped = run(with([](const Parameters&, Reporter&) { throw Skipped("no such kernel"); }));
  CHECK(skipped.code == 0);
  CHECK(skipped.events.back().at("status") == "skipped");
  CHECK(skipped.events.back().at("reason") == "no such kernel");
  const auto failed = run(with([](const Parameters&, Reporter& report) {
    report.time("t", {}, [] { throw std::runtime_error("inside a timed call"); });
  }));
  CHECK(failed.code == 1);
  CHECK(failed.events.back().at("status") == "failed");
  CHECK(failed.events.back().at("reason") == "inside a timed call");
}

TEST_CASE("what is not finite is null with a reason") {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto said = run(with([&](const Parameters&, Reporter& report) {
    report.samples("s", "ns", "lower", std::vector<double>{1, -infinite, 3});
    report.series("curve", {"x", "", {1, 2}}, {"y", "", {infinite, 2}});
    CHECK_THROWS(report.series("curve", {"x", "", {1}}, {"y", "", {}}));
  }));
  CHECK(said.events[1].at("values") == json({1.0, nullptr, 3.0}));
  CHECK(said.events[1].at("reason") == "negative infinite");
  CHECK(said.events[2].at("y").at("values")[0].is_null());
  CHECK(said.events[2].at("reason") == "infinite");
}

TEST_CASE("an artifact is hashed and must lie inside --out") {
  const auto said = run(with([](const Parameters& p, Reporter& report) {
    std::ofstream(p.out / "w") << "abc";
    report.artifact("weights", p.out / "w", "raw");
    CHECK_THROWS_WITH(report.artifact("other", "/etc/hostname", "raw"), Catch::Matchers::Contains("outside"));
  }));
  CHECK(said.events[1].at("path") == "w");
  // FIPS 180-2, appendix B.1
  CHECK(said.events[1].at("sha256") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("a command line that cannot be is refused") {
  const auto program = with([](const Parameters&, Reporter&) {});
  using List = std::vector<std::string>;
  for (const auto& arguments :
       {List{}, List{"t.two"}, List{"t.one", "--set", "mode=c"}, List{"t.one", "--set", "mod=a"},
        List{"t.one", "--set", "mode"}, List{"t.one", "--off", "c.two"}, List{"t.one", "--threads", "0"},
        List{"t.one", "--length", "epochs=many"}, List{"t.one", "--length", "epochs=0"},
        List{"t.one", "--length", "epochs=-1"}, List{"t.one", "--length", "epochs=4294967296"},
        List{"t.one", "--length", "rows=1"}, List{"t.one", "--nonsense"}, List{"t.one", "--budget-ms", "20"},
        List{"t.one", "--data", ""}, List{"t.one", "--out", ""}, List{"t.one", "--service", "s=0"}})
    CHECK_THROWS_AS(toy::parse_case(program, arguments), UsageError);
  CHECK_THROWS_WITH(toy::parse_case(program, {"t.one", "--length", "epocs=3"}),
                    Catch::Matchers::Contains("did you mean 'epochs'?"));
  const auto p = toy::parse_case(
      program, {"t.one", "--length", "epochs=9", "--artifact", "w=/x", "--off", "c.one", "--service", "s=80"});
  CHECK(p.length("epochs") == 9);
  CHECK(p.artifact("w") == "/x");
  CHECK(p.text("mode") == "a");
  CHECK(p.off == List{"c.one"});
  CHECK(p.services.at("s") == 80);
  CHECK_THROWS_AS(p.length("rows"), std::out_of_range);
  CHECK_THROWS_AS(p.integer("mode"), std::out_of_range);
}
