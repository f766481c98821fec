#include "harness/commands/progress.hpp"

#include "tests/catch.hpp"

using namespace assay::harness;

TEST_CASE("a progress line shows how far, what and how long, within the width") {
  CHECK(progress_line(6, 12, "tracing.step", 18.2, 100) == "[============>           ] 6/12  tracing.step  19 s left");
  CHECK(progress_line(12, 12, "", std::nullopt, 100) == "[========================] 12/12  ");
  CHECK(progress_line(0, 0, "x", std::nullopt, 100) == "[>                       ] 0/0  x");
  const auto narrow = progress_line(6, 12, "tracing.step{mode=eager}", 18.2, 60);
  CHECK(narrow.size() < 60);
  CHECK(narrow.find("19 s left") != std::string::npos);
}

TEST_CASE("durations are rounded up to what a person reads") {
  CHECK(duration_text(0) == "0 s");
  CHECK(duration_text(59.2) == "1 min 00 s");
  CHECK(duration_text(185) == "3 min 05 s");
  CHECK(duration_text(-1) == "0 s");
}
