#include "engine/data/threads_needed.hpp"

#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

int workers(double work, double training, int cores, int training_threads = 1, bool prefetched = false) {
  return threads_needed({work, training, cores, training_threads, prefetched}).workers;
}

}  // namespace

TEST_CASE("threads follow from work, training and cores") {
  // Nobody trains: every core works, the asking thread's own included.
  CHECK(workers(100, 0, 1) == 0);
  CHECK(workers(100, 0, 2) == 1);
  CHECK(workers(100, 0, 8) == 7);
  CHECK(workers(100, 0, 2, 1, true) == 2);
  // The step takes longer than the work: one thread hides it.
  CHECK(workers(20, 100, 2) == 1);
  CHECK(workers(20, 100, 8) == 1);
  // 1 / training is sustained by work / training threads.
  CHECK(workers(350, 100, 8) == 4);
  // Next to nothing to hide: no thread.
  CHECK(workers(1, 100, 2) == 0);
  CHECK(workers(0, 100, 2) == 0);
}

TEST_CASE("threads never take the cores of the training threads") {
  for (const int cores : {1, 2, 4, 8}) {
    for (const int training_threads : {1, 2, 4, 8}) {
      if (training_threads > cores) continue;
      for (const double work : {5.0, 50.0, 100.0, 150.0}) {
        const auto needed = threads_needed({work, 100, cores, training_threads, false});
        INFO(cores << " cores, " << training_threads << " training, work " << work);
        CHECK(needed.workers + training_threads <= cores);
      }
    }
  }
}

TEST_CASE("threads are started where each saves more of an epoch than its start takes") {
  // 0.2 ms a start: the first saves a half, the second a sixth, the third a twelfth.
  CHECK(max_worthwhile_threads(0) == 0);
  CHECK(max_worthwhile_threads(0.39e6) == 0);
  CHECK(max_worthwhile_threads(0.41e6) == 1);
  CHECK(max_worthwhile_threads(1.19e6) == 1);
  CHECK(max_worthwhile_threads(1.21e6) == 2);
  CHECK(max_worthwhile_threads(2.39e6) == 2);
  CHECK(max_worthwhile_threads(2.41e6) == 3);
}
