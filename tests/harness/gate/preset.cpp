#include "harness/gate/preset.hpp"

#include <stdexcept>

#include "tests/catch.hpp"

using namespace assay::harness;

TEST_CASE("a floor brings its margin") {
  CHECK(preset_of(0.02) == Preset{0.02, 0.035});
  CHECK(preset_of(parse_share("3%")) == Preset{0.03, 0.05});
  CHECK(preset_of(0.05) == Preset{0.05, 0.08});
  CHECK(preset_of(0.1) == Preset{0.1, 0.15});
  CHECK(preset_of(0.06).margin == Approx(0.1));
  CHECK_THROWS_AS(preset_of(0), std::domain_error);
  CHECK_THROWS_AS(preset_of(1), std::domain_error);
}

TEST_CASE("the next preset is coarser") {
  CHECK(coarser(0.03) == Preset{0.05, 0.08});
  CHECK(coarser(0.04) == Preset{0.05, 0.08});
  CHECK_FALSE(coarser(0.1));
}

TEST_CASE("shares are read with and without a percent sign") {
  CHECK(parse_share("3%") == Approx(0.03));
  CHECK(parse_share("3.5 %") == Approx(0.035));
  CHECK(parse_share("0.03") == Approx(0.03));
  for (const char* bad : {"", "%", "3", "0%", "100%", "-1%", "nan", "inf", "3%%", "three"})
    CHECK_THROWS_AS(parse_share(bad), std::domain_error);
}

TEST_CASE("shares are shown in percent") {
  CHECK(percent_text(0.0312) == "3.1 %");
  CHECK(percent_text(0.0312, true) == "+3.1 %");
  CHECK(percent_text(-0.0312, true) == "-3.1 %");
  CHECK(percent_text(-1e-17, true) == "0.0 %");  // rounding noise has no sign
  CHECK(Preset{0.03, 0.05}.text() == "3 % / 5 %");
  CHECK(Preset{0.02, 0.035}.text() == "2 % / 3.5 %");
}
