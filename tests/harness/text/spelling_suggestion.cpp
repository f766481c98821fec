#include "harness/text/spelling_suggestion.hpp"

#include <vector>

#include "tests/catch.hpp"

using assay::harness::spelling_suggestion;
using assay::harness::unknown_name;

namespace {
const std::vector<std::string> controls{"engine.trace", "engine.onednn", "engine.prepack", "engine.plan_memory", "all"};
}

TEST_CASE("the nearest name is found for a slip of the keyboard, a part or a swap") {
  CHECK(spelling_suggestion("engine.prepak", controls) == "engine.prepack");
  CHECK(spelling_suggestion("engine.tarce", controls) == "engine.trace");
  CHECK(spelling_suggestion("onednn", controls) == "engine.onednn");
  CHECK(spelling_suggestion("al", controls) == "all");
}

TEST_CASE("a short name is near only what it shares a letter with") {
  const std::vector<std::string> sections{"1", "2", "10", "models"};
  CHECK(spelling_suggestion("3", sections).empty());
  CHECK(spelling_suggestion("99", sections).empty());
  CHECK(spelling_suggestion("1O", sections) == "1");
  CHECK(spelling_suggestion("model", sections) == "models");
}

TEST_CASE("nothing is offered for what is far from every name") {
  CHECK(spelling_suggestion("zzzzzzzz", controls).empty());
  CHECK(unknown_name("control", "zzzzzzzz", controls) ==
        "unknown control 'zzzzzzzz'; there are: engine.trace engine.onednn engine.prepack engine.plan_memory all");
}
