#include "scenarios/machine/clock.hpp"

#include <chrono>
#include <cmath>

#include "tests/catch.hpp"

using namespace assay::scenarios::machine;

TEST_CASE("the chain of additions adds, in whole blocks") {
  CHECK(add_chain(0, 5, 3) == 5);
  CHECK(add_chain(add_chain_block, 5, 3) == 5 + 3 * add_chain_block);
  CHECK(add_chain(add_chain_block + 1, 0, 1) == 2 * add_chain_block);
  CHECK(add_chain(1 << 16, 1, 7) == 1 + 7 * (1 << 16));
}

TEST_CASE("an estimate of the clock is positive and finite") {
  constexpr std::int64_t steps = 1 << 20;
  const auto begin = std::chrono::steady_clock::now();
  const auto sum = add_chain(steps, 0, 1);
  const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
  CHECK(sum == steps);
  CHECK(steps / ns > 0);
  CHECK(std::isfinite(steps / ns));
}
