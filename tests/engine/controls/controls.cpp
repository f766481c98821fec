#include "engine/controls/controls.hpp"

#include <cstdlib>
#include <set>
#include <stdexcept>

#include "engine/controls/library.hpp"
#include "engine/core/denormals.hpp"
#include "engine/core/threads.hpp"
#include "tests/catch.hpp"

using namespace assay::engine;

namespace {

ControlState state_of(const std::vector<ControlState>& states, const std::string& name) {
  for (const ControlState& state : states) {
    if (state.name == name) return state;
  }
  FAIL("no control " << name);
  return {};
}

}  // namespace

TEST_CASE("the table has every control once, named and explained") {
  std::set<std::string_view> names;
  for (const ControlInfo& info : control_table()) {
    CHECK((info.name.starts_with("engine.") || info.name.starts_with("data.")));
    CHECK_FALSE(info.summary.empty());
    CHECK(info.environment_name.empty() == info.environment_off.empty());
    names.insert(info.name);
  }
  CHECK(names.size() == control_count);
}

TEST_CASE("turning one control off turns no other off") {
  for (const ControlInfo& info : control_table()) {
    const std::vector<std::string> off{std::string(info.name)};
    for (const ControlState& state : control_states(ControlSet::without(off)))
      CHECK(state.on == (state.name != info.name));
  }
}

TEST_CASE("all turns every control off, nothing leaves them on") {
  const std::vector<std::string> all{"all"};
  for (const ControlState& state : control_states(ControlSet::without(all))) CHECK_FALSE(state.on);
  for (const ControlState& state : control_states(ControlSet{})) CHECK(state.on);
}

TEST_CASE("an unknown control is named with the known ones") {
  const std::vector<std::string> wrong{"engine.trace", "engine.turbo"};
  CHECK_THROWS_WITH(ControlSet::without(wrong), Catch::Contains("engine.turbo") && Catch::Contains("engine.spin"));
}

TEST_CASE("a control that cannot act says why") {
  for (const ControlState& state : control_states(ControlSet{})) {
    INFO(state.name);
    CHECK((state.acts || !state.reason.empty()));
  }
  const auto states = control_states(ControlSet{}.without(Control::onednn));
  CHECK(state_of(states, "engine.onednn").acts == onednn_present());
  for (const char* name : {"engine.prepack", "engine.isa"}) {
    CHECK_FALSE(state_of(states, name).acts);
    CHECK_FALSE(state_of(states, name).reason.empty());
  }
}

TEST_CASE("without what it needs a control cannot act, and names that") {
  for (const ControlInfo& info : control_table()) {
    for (const Control needed : required_controls(info.control)) {
      INFO(info.name);
      const std::string required(name(needed));
      const auto state = state_of(control_states(ControlSet{}.without(needed)), std::string(info.name));
      CHECK(state.on);
      CHECK_FALSE(state.acts);
      CHECK(state.reason == required + " is off");
    }
  }
  CHECK(required_controls(Control::prepack) == std::vector{Control::trace, Control::onednn});
  CHECK(required_controls(Control::trace).empty());
}

TEST_CASE("spinning acts only as the environment was set") {
  if (!threads_available()) SKIP("this build has no OpenMP");
  const char* before = std::getenv("OMP_WAIT_POLICY");
  const std::string saved = before != nullptr ? before : "";
  const ControlSet on;
  const ControlSet off = on.without(Control::spin);
  const auto acts = [](const ControlSet& controls) { return state_of(control_states(controls), "engine.spin").acts; };
  unsetenv("OMP_WAIT_POLICY");
  CHECK_FALSE(acts(on));
  CHECK_FALSE(acts(off));
  setenv("OMP_WAIT_POLICY", "PASSIVE", 1);
  CHECK_FALSE(acts(on));
  CHECK(acts(off));
  setenv("OMP_WAIT_POLICY", "ACTIVE", 1);
  CHECK(acts(on));
  CHECK_FALSE(acts(off));
  if (saved.empty()) {
    unsetenv("OMP_WAIT_POLICY");
  } else {
    setenv("OMP_WAIT_POLICY", saved.c_str(), 1);
  }
}

TEST_CASE("apply sets the denormal mode both ways") {
  if (!denormals_switchable()) SKIP("denormals cannot be switched on this processor");
  apply_controls(ControlSet{}, 2);
  CHECK(flushes_denormals());
  apply_controls(ControlSet{}.without(Control::flush_denormals), 2);
  CHECK_FALSE(flushes_denormals());
}
