#include "harness/machine/topology.hpp"

#include <algorithm>

#include "tests/catch.hpp"

using namespace assay::harness;

TEST_CASE("the topology is consistent in itself") {
  const auto found = topology();
  CHECK(found.logical >= 1);
  CHECK(found.cores <= found.logical);
  CHECK(found.sockets <= std::max(found.cores, 1));
  CHECK(found.numa_nodes >= 1);
  for (const auto& cache : found.caches) {
    INFO("level " << cache.level << " " << cache.kind);
    CHECK(cache.bytes > 0);
    CHECK(cache.shared_by >= 1);
    CHECK(cache.count >= 1);
  }
}
