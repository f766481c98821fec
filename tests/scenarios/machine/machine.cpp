#include "scenarios/machine/machine.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "harness/cases/program.hpp"
#include "scenarios/machine/cases.hpp"
#include "scenarios/machine/team.hpp"
#include "tests/catch.hpp"

using namespace assay;
using nlohmann::json;

namespace {

/// The events that a body reports.
std::vector<json> events(void (*body)(const harness::Parameters&, harness::Reporter&),
                         const harness::Parameters& parameters) {
  const auto path = std::filesystem::temp_directory_path() / ("assay-machine-" + std::to_string(getpid()));
  const int descriptor = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  REQUIRE(descriptor >= 0);
  harness::Reporter report(descriptor, parameters);
  body(parameters, report);
  close(descriptor);
  std::vector<json> found;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) found.push_back(json::parse(line));
  std::filesystem::remove(path);
  return found;
}

std::set<std::string> metrics(const std::vector<json>& events) {
  std::set<std::string> names;
  for (const auto& event : events) {
    if (event.at("event") == "check") CHECK(event.at("passed") == true);
    if (event.contains("metric")) names.insert(event.at("metric").get<std::string>());
  }
  return names;
}

harness::Parameters one_thread(const std::string& name) {
  harness::Parameters parameters;
  parameters.case_name = "machine." + name;
  parameters.values = {{"threads", "1"}};
  parameters.repetitions = 1;
  return parameters;
}

std::set<std::string> declared(const std::string& name) {
  const auto scenario = scenarios::machine_scenario();
  std::set<std::string> names;
  for (const auto& one : scenario.cases)
    if (one->name == name)
      for (const auto& metric : one->metrics) names.insert(metric.name);
  return names;
}

}  // namespace

TEST_CASE("the scenario is a valid part of a catalogue, and each configuration runs once") {
  harness::Program program;
  program.scenarios.push_back(scenarios::machine_scenario());
  const auto catalogue = harness::catalogue(program);
  const auto& scenario = catalogue.at("scenarios").at(0);
  CHECK(scenario.at("cases").size() == 7);
  std::set<std::string> configurations;
  for (const auto& group : scenario.at("groups"))
    for (const auto& configuration : group.at("configurations"))
      configurations.insert(configuration.get<std::string>());
  // every value of every parameter is run: 4 dtypes x 2, 2 and 2
  CHECK(configurations.size() == 12);
  CHECK(configurations.contains("machine.rate{dtype=int8,threads=all}"));
  for (const auto& one : scenario.at("cases")) CHECK(one.at("kind") == "exact");
}

TEST_CASE("the peak is reported as declared, from positive finite numbers") {
  const auto found = events(scenarios::machine::peak, one_thread("peak"));
  CHECK(metrics(found) == declared("peak"));
  for (const auto& event : found) {
    if (event.contains("value") && event.contains("metric")) CHECK(event.at("value").get<double>() > 0);
    if (event.contains("values")) CHECK(event.at("values").at(0).get<double>() > 0);
  }
}

TEST_CASE("starting a process is reported as declared") {
  CHECK(metrics(events(scenarios::machine::process, one_thread("process"))) == declared("process"));
}

TEST_CASE("dispatch is reported as declared, without a team there is none to fork") {
  auto expected = declared("dispatch");
  expected.erase("fork_join");
  CHECK(metrics(events(scenarios::machine::dispatch, one_thread("dispatch"))) == expected);
}

TEST_CASE("all threads are those of the run, one alone is not measured twice") {
  auto parameters = one_thread("peak");
  CHECK(scenarios::machine::team(parameters) == 1);
  parameters.values["threads"] = "all";
  CHECK_THROWS_AS(scenarios::machine::team(parameters), harness::Skipped);
}
