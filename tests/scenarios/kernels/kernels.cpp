#include "scenarios/kernels/kernels.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "harness/cases/program.hpp"
#include "scenarios/kernels/sizes.hpp"
#include "tests/catch.hpp"

using namespace assay;
using nlohmann::json;

TEST_CASE("the scenario kernels is a valid part of a catalogue and runs each configuration once") {
  harness::Program program;
  program.scenarios.push_back(scenarios::kernels_scenario());
  const auto catalogue = harness::catalogue(program);
  std::multiset<std::string> configurations;
  for (const auto& group : catalogue.at("scenarios").at(0).at("groups"))
    for (const auto& configuration : group.at("configurations"))
      configurations.insert(configuration.get<std::string>());
  CHECK(configurations == std::multiset<std::string>{"kernels.product", "kernels.product{onednn=off}",
                                                     "kernels.convolution", "kernels.convolution{onednn=off}",
                                                     "kernels.layer", "kernels.reduction", "kernels.elementwise",
                                                     "kernels.update"});
}

TEST_CASE("a family reports time, share, kernel and fallbacks of each of its sizes") {
  harness::Parameters parameters;
  parameters.repetitions = 1;
  parameters.off = {"engine.onednn"};
  const auto path = std::filesystem::temp_directory_path() / ("assay-kernels-" + std::to_string(getpid()));
  const int descriptor = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  REQUIRE(descriptor >= 0);
  harness::Reporter report(descriptor, parameters);
  scenarios::kernels::report_family(scenarios::kernels::Family::update, parameters, report);
  close(descriptor);

  std::map<std::string, json> choices, metrics, checks;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto event = json::parse(line);
    if (event.at("event") == "choice") choices[event.at("name")] = event.at("value");
    if (event.at("event") == "check") checks[event.at("name")] = event;
    if (event.contains("metric")) metrics[event.at("metric")] = event;
  }
  std::filesystem::remove(path);

  const auto sizes = scenarios::kernels::sizes_of(scenarios::kernels::Family::update);
  int reorders = 0;
  for (const auto& size : sizes) {
    INFO(size.name());
    REQUIRE(choices.contains(size.name()));
    const auto& choice = choices[size.name()];
    if (size.op == engine::Op::reorder) {  // without oneDNN there is no layout but the plain one
      ++reorders;
      CHECK(choice.at("reason").get<std::string>().find("reorder") != std::string::npos);
      CHECK_FALSE(metrics.contains(size.name()));
    } else if (!choice.contains("reason")) {
      CHECK(choice.at("kernel").get<std::string>().starts_with("eigen:"));
      CHECK(choice.at("flops") == size.flops());
      CHECK(metrics.at(size.name()).at("values").at(0).get<double>() > 0);
      CHECK(metrics.at(size.name() + "/share").at("values").at(0).get<double>() > 0);
    }
  }
  CHECK(reorders == 2);
  CHECK(checks.at("answers equal the reference kernels'").at("passed") == true);
  CHECK(metrics.at("sizes").at("value") == sizes.size());
  CHECK(metrics.at("declined").at("value") == 2);
}
