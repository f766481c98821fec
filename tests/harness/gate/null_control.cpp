#include "harness/gate/null_control.hpp"

#include <cmath>
#include <vector>

#include "harness/gate/gate_statistic.hpp"
#include "tests/catch.hpp"

using namespace assay::harness;

TEST_CASE("the copy differs by the log of its ratio") {
  const std::vector<GateRound> rounds{{100, 110, 1, 1}, {100, 100, 1, 1}};
  CHECK(null_differences(rounds, false) == std::vector{std::log(110.0) - std::log(100.0), 0.0});
  CHECK(null_differences(rounds, true).front() == Approx(-std::log(1.1)));
}

TEST_CASE("the gate's control alarms at one in a thousand") {
  std::vector<double> z(11, 0.01);
  CHECK(control_of_gate(z).p == Approx(2 / std::pow(2, 11)));  // 0.00098
  CHECK(control_of_gate(z).alarm);
  z.pop_back();
  CHECK(control_of_gate(z).p == Approx(2 / std::pow(2, 10)));  // 0.00195
  CHECK_FALSE(control_of_gate(z).alarm);
  CHECK_FALSE(control_of_gate({}).alarm);
}

TEST_CASE("ties say nothing") {
  std::vector<double> z(11, 0.0);
  z.push_back(0.1);
  const auto control = control_of_gate(z);
  CHECK(control.slower == 1);
  CHECK(control.faster == 0);
  CHECK(control.p == 1);
}

TEST_CASE("a benchmark's control needs twelve rounds and half the floor") {
  const Preset usual{0.03, 0.05};
  CHECK(control_of_benchmark(std::vector<double>(12, 0.02), usual).alarm);
  CHECK(control_of_benchmark(std::vector<double>(12, -0.02), usual).alarm);
  CHECK_FALSE(control_of_benchmark(std::vector<double>(11, 0.02), usual).alarm);
  CHECK_FALSE(control_of_benchmark(std::vector<double>(12, 0.01), usual).alarm);  // f / 2 is 0.0148
  std::vector<double> mixed(12, 0.02);
  mixed[0] = mixed[1] = -0.02;  // 10 of 12: p = 0.039
  CHECK_FALSE(control_of_benchmark(mixed, usual).alarm);
}
