#include "harness/run/remaining_time.hpp"

#include "tests/catch.hpp"
#include "tests/harness/run/toy.hpp"

using namespace assay::harness;

TEST_CASE("time left: a configuration's own times, else its case's, else its share of the budget, else all") {
  RemainingTime estimate({{"p:t.step", 4}, {"p:t.step{mode=b}", 4}, {"p:t.fit", 9}, {"q:t.step", 30}});
  CHECK(estimate.seconds("p:t.fit") == 9);
  CHECK(estimate.seconds("p:t.other") == 1);
  estimate.add("p:t.step", 2);
  estimate.add("p:t.step", 3);
  CHECK(estimate.seconds("p:t.step") == 2.5);
  CHECK(estimate.seconds("p:t.step{mode=b}") == 2.5);
  CHECK(estimate.seconds("q:t.step") == 30);  // another program's
  CHECK(estimate.seconds("p:t.fit") == 9);
  CHECK(estimate.seconds("p:t.other") == 2.5);
  estimate.add("p:t.step{mode=b}", 10);
  CHECK(estimate.seconds("p:t.step") == 2.5);
  CHECK(estimate.seconds("p:t.step{mode=c}") == 5);
}

TEST_CASE("before anything ran the time left is what the catalogue's budget says") {
  const toy::Folder folder;
  const auto plan = prepare_run(toy::options(folder, toy::program(folder, "")), toy::host());
  std::vector<double> left;
  execute(
      plan, toy::host(), [&](const Progress& p) { left.push_back(p.seconds_left); }, toy::never);
  CHECK(left.front() == Approx(10).epsilon(0.001));  // the toy's budget for quick, shared by its processes
}
