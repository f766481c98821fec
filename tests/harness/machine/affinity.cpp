#include "harness/machine/affinity.hpp"

#include <sched.h>

#include <algorithm>

#include "tests/catch.hpp"

using namespace assay::harness;

TEST_CASE("the allowed CPUs are those of the affinity mask") {
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  const auto cpus = allowed_cpus();
  REQUIRE_FALSE(cpus.empty());
  CHECK(cpus.size() == static_cast<std::size_t>(CPU_COUNT(&before)));
  CHECK(std::is_sorted(cpus.begin(), cpus.end()));
  cpu_set_t last;
  CPU_ZERO(&last);
  CPU_SET(static_cast<unsigned>(cpus.back()), &last);
  REQUIRE(sched_setaffinity(0, sizeof last, &last) == 0);
  CHECK(allowed_cpus() == std::vector<int>{cpus.back()});
  REQUIRE(sched_setaffinity(0, sizeof before, &before) == 0);
}
