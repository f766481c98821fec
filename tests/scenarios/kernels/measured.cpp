#include "scenarios/kernels/measured.hpp"

#include "tests/catch.hpp"

using namespace assay;
using namespace assay::scenarios::kernels;

namespace {

/// 1000 operations and 100 bytes in `time` ns on `threads`, under these peaks and 1000 GB/s.
Measured size_with(int threads, double time, std::vector<double> peaks) {
  Measured made{sizes()[0], {}, 1000, 100, {}, {}};
  made.info.threads = threads;
  for (const double peak : peaks) made.turns.push_back({time, peak, 1000});
  return made;
}

}  // namespace

TEST_CASE("the best peak is that of all sizes on as many threads") {
  const auto best = best_peaks({size_with(1, 10, {200, 210}), size_with(2, 10, {300, 400}), size_with(1, 10, {190})});
  CHECK(best == Peaks{{1, 210}, {2, 400}});
}

TEST_CASE("a size under an undisturbed roof has no trouble") {
  const auto one = size_with(1, 10, {200, 150, 210});  // 100 GFLOP/s
  CHECK(trouble_of(one, {{1, 210}}) == Trouble::none);
  CHECK(reason_of(one, {{1, 210}}).empty());
  CHECK(one.shares() == std::vector<double>{100.0 / 200, 100.0 / 150, 100.0 / 210});
  CHECK(one.median_of(&Turn::peak) == 200);
}

TEST_CASE("a size whose multiply-adds were slow was disturbed, whatever its share") {
  const auto one = size_with(2, 10, {100, 120, 400});
  CHECK(trouble_of(one, {{2, 400}}) == Trouble::disturbed);
  CHECK(reason_of(one, {{2, 400}}) ==
        "disturbed: multiply-adds ran at 120 GFLOP/s meanwhile, at 400 in a better moment; end other work, then run "
        "again");
}

TEST_CASE("rates above 999 GFLOP/s are written out") {
  CHECK_THAT(reason_of(size_with(64, 10, {1234}), {{64, 23456}}),
             Catch::Contains("at 1,234 GFLOP/s meanwhile, at 23,456 in a better moment"));
}

TEST_CASE("a size above an undisturbed roof is impossible") {
  const auto one = size_with(1, 4, {200, 200, 200});  // 250 GFLOP/s
  CHECK(trouble_of(one, {{1, 210}}) == Trouble::impossible);
  CHECK(reason_of(one, {{1, 210}}).find("impossible: 1.25 of the roof") == 0);
  CHECK(trouble_of(size_with(1, 1000 / 208.0, {200}), {{1, 210}}) == Trouble::none);  // 1.04: inside the tolerance
}
