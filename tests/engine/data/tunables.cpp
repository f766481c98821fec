#include "engine/data/tunables.hpp"

#include "tests/catch.hpp"

using namespace assay::engine;

TEST_CASE("a job is as many calls as are worth handing over") {
  Tunables tunables;
  tunables.max_calls = 32;
  CHECK(calls_per_job(tunables, 1e9, 1e9) == 32);  // a batch is a batch
  tunables.job_ns = 60000;
  tunables.job_bytes = 1000;
  CHECK(calls_per_job(tunables, 100, 10) == 32);
  CHECK(calls_per_job(tunables, 0, 0) == 32);
  CHECK(calls_per_job(tunables, 16000, 10) == 4);
  CHECK(calls_per_job(tunables, 1e6, 10) == 1);
  CHECK(calls_per_job(tunables, 100, 400) == 2);
  CHECK(calls_per_job(tunables, 100, 1e6) == 1);
}
