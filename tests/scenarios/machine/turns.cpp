#include "scenarios/machine/turns.hpp"

#include <string>

#include "tests/catch.hpp"

using namespace assay::scenarios::machine;

TEST_CASE("works are run in turn, each as often as asked") {
  std::string order;
  const auto shortest = shortest_in_turns({[&] { order += 'a'; }, [&] { order += 'b'; }}, 3);
  CHECK(order == "ababab");
  REQUIRE(shortest.size() == 2);
  for (const double time : shortest) CHECK((time >= 0 && time < 1e9));
}

TEST_CASE("what a work throws comes out") {
  CHECK_THROWS_AS(shortest_in_turns({[] { throw std::runtime_error("broken"); }}, 1), std::runtime_error);
}
