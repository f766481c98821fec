#include "scenarios/machine/multiply_add.hpp"

#include <limits>

#include "tests/catch.hpp"

using namespace assay::scenarios::machine;

TEST_CASE("the multiply-add loop computes its closed form") {
  for (const std::int64_t steps : {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}, std::int64_t{1000}}) {
    INFO(steps << " steps");
    CHECK(multiply_add(steps, 0.75F, 2) == Approx(multiply_add_closed_form(steps, 0.75, 2)).epsilon(1e-5));
  }
}

TEST_CASE("the closed form is that of the recurrence") {
  double sum = 0;
  const auto starts = static_cast<int>(chains * lanes);
  for (int start = 0; start < starts; ++start) {
    double x = start;
    for (int step = 0; step < 5; ++step) x = x * 0.5 + 3;
    sum += x;
  }
  CHECK(multiply_add_closed_form(5, 0.5, 3) == Approx(sum).epsilon(1e-12));
}

TEST_CASE("a step is two operations a lane of each chain") {
  CHECK(multiply_add_flops(10) == 2.0 * 10 * chains * static_cast<double>(vector_bytes / 4));
}

TEST_CASE("the loop is fused where the compiler was told of such an instruction") {
#if defined(__FMA__) || defined(__aarch64__)
  CHECK(multiply_add_is_fused());
#else
  CHECK_NOTHROW(multiply_add_is_fused());
#endif
}
