#include "harness/cases/case_id.hpp"

#include <stdexcept>

#include "tests/catch.hpp"

using namespace assay::harness;

TEST_CASE("a configuration's id is taken apart and put together with sorted keys") {
  const CaseId id = parse_case_id("tracing.step{mode=eager,batch=8}");
  CHECK(id.case_name == "tracing.step");
  CHECK(id.values == std::map<std::string, std::string>{{"batch", "8"}, {"mode", "eager"}});
  CHECK(format_case_id(id) == "tracing.step{batch=8,mode=eager}");
  CHECK(format_case_id(parse_case_id("tracing.step")) == "tracing.step");
  CHECK(parse_case_id("tracing.step{off=engine.fuse_update}").values.at("off") == "engine.fuse_update");
}

TEST_CASE("what is no id is refused with the id and the place") {
  for (const auto* text : {"", "a b", "t.s{", "t.s{}", "t.s{a}", "t.s{a=}", "t.s{=b}", "t.s{a=b", "t.s{a=b}x",
                           "t.s{a=b,}", "t.s{a=b,a=c}", "{a=b}"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_case_id(text), std::invalid_argument);
  }
  CHECK_THROWS_WITH(parse_case_id("t.s{a=b,a=c}"), Catch::Matchers::Contains("'a' is given twice"));
}
