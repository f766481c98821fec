#include "harness/cases/nearest.hpp"

#include <vector>

#include "tests/catch.hpp"

using assay::harness::nearest;
using assay::harness::unknown_name;

namespace {
const std::vector<std::string> controls{"engine.trace", "engine.onednn", "engine.prepack", "engine.plan_memory", "all"};
}

TEST_CASE("the nearest name is found for a slip of the keyboard, a part or a swap") {
  CHECK(nearest("engine.prepak", controls) == "engine.prepack");
  CHECK(nearest("engine.tarce", controls) == "engine.trace");
  CHECK(nearest("onednn", controls) == "engine.onednn");
  CHECK(nearest("al", controls) == "all");
}

TEST_CASE("a short name is near only what it shares a letter with") {
  const std::vector<std::string> sections{"1", "2", "10", "models"};
  CHECK(nearest("3", sections).empty());
  CHECK(nearest("99", sections).empty());
  CHECK(nearest("1O", sections) == "1");
  CHECK(nearest("model", sections) == "models");
}

TEST_CASE("nothing is offered for what is far from every name") {
  CHECK(nearest("zzzzzzzz", controls).empty());
  CHECK(unknown_name("control", "zzzzzzzz", controls) ==
        "unknown control 'zzzzzzzz'; there are: engine.trace engine.onednn engine.prepack engine.plan_memory all");
}
