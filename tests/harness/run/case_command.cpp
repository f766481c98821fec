#include "harness/run/case_command.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/harness/ablation/toy_catalogue.hpp"

using namespace assay::harness;

namespace {

/// What follows --off on the command line; "" without one.
std::string off_of(const std::string& configuration, const std::vector<std::string>& user = {}) {
  CaseSettings settings;
  settings.off = user;
  const auto command = case_command({"/toy", assay::tests::toy_catalogue()}, configuration, settings, {}).command;
  CHECK(std::ranges::none_of(
      command, [](const std::string& word) { return word.starts_with("on=") || word.starts_with("off="); }));
  const auto found = std::ranges::find(command, "--off");
  return found == command.end() ? "" : *(found + 1);
}

}  // namespace

TEST_CASE("the keys off and on of a configuration reach the program as --off") {
  CHECK(off_of("toy.step") == "");
  CHECK(off_of("toy.step{off=t.fuse}") == "t.fuse");
  CHECK(off_of("toy.step{off=t.fuse+t.trace}") == "t.fuse,t.trace");
  CHECK(off_of("toy.step{off=all}") == "t.fuse,t.isa,t.pack,t.trace");
  CHECK(off_of("toy.step{on=t.trace}") == "t.fuse,t.isa,t.pack");
  CHECK(off_of("toy.step{on=t.trace+t.fuse}") == "t.isa,t.pack");
  CHECK(off_of("toy.step{on=t.trace}", {"t.trace"}) == "t.fuse,t.isa,t.pack,t.trace");
}
