#include "harness/cases/catalogue.hpp"
#include "harness/results/comparisons.hpp"
#include "tests/catch.hpp"
#include "tests/harness/ablation/toy_catalogue.hpp"

using namespace assay::harness;

TEST_CASE("sides that switch controls are equal once the same is off on both") {
  const nlohmann::json scenario = to_json(assay::tests::toy_catalogue()).at("scenarios")[0];
  const auto equal = [&](const std::string& a, const std::string& b, const std::vector<std::string>& off) {
    return sides_equal("toy.step" + a, "toy.step" + b, scenario, off);
  };
  CHECK_FALSE(equal("", "{off=t.fuse}", {}));
  CHECK(equal("", "{off=t.fuse}", {"t.fuse"}));
  CHECK_FALSE(equal("", "{off=all}", {"t.fuse"}));
  CHECK(equal("", "{off=all}", {"all"}));
  CHECK_FALSE(equal("{off=all}", "{on=t.trace}", {}));
  CHECK(equal("{off=all}", "{on=t.trace}", {"t.trace"}));
  CHECK_FALSE(equal("{on=t.trace}", "{on=t.trace+t.fuse}", {"t.trace"}));
  CHECK(equal("{on=t.trace}", "{on=t.trace+t.fuse}", {"t.fuse"}));
  CHECK(equal("{mode=eager}", "{off=t.trace}", {}));
}
