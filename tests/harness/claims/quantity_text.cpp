#include "harness/claims/quantity_text.hpp"

#include "tests/catch.hpp"

using namespace assay::harness;

TEST_CASE("times have three digits and the unit that suits them") {
  CHECK(quantity_text(24.46, "ns") == "24.5 ns");
  CHECK(quantity_text(24460, "ns") == "24.5 us");
  CHECK(quantity_text(5.212e6, "ns") == "5.21 ms");
  CHECK(quantity_text(1.5e9, "ns") == "1.5 s");
}

TEST_CASE("what is no time keeps its own unit, or none") {
  CHECK(quantity_text(0.2345, "") == "0.234");
  CHECK(quantity_text(510, "B") == "510 B");
}
