#pragma once
#include <string>

#include "harness/cases/catalogue.hpp"

namespace assay::tests {

/// A program with four controls (`t.fuse` and `t.pack` need `t.trace`, `t.isa` cannot act) and a scenario with a timed
/// case, one that switches a control off, one that is exact and one that nobody needs.
inline harness::Catalogue toy_catalogue() {
  using namespace harness;
  const auto control = [](const std::string& name, std::vector<std::string> needs, const std::string& reason = "") {
    return ControlInfo{name, "", true, reason.empty(), reason, {}, {}, std::move(needs)};
  };
  Catalogue result;
  result.program = {{"name", "toy"}, {"version", "1"}};
  result.controls = {control("t.trace", {}), control("t.fuse", {"t.trace"}), control("t.pack", {"t.fuse"}),
                     control("t.isa", {}, "no such CPU")};
  result.profiles = {{"quick", 6, 3, 6, {}}};
  ScenarioInfo s{"toy", "?", {}, {}, {}, {}};
  ParameterInfo mode{"mode", {"traced", "eager"}, "traced", {{"eager", {{"t.trace"}, {}}}}};
  s.cases = {{"toy.step",
              CaseKind::timed,
              {mode},
              {{"time", "ns", "lower"}, {"bytes", "B", "lower"}},
              {{"w", "toy.weights"}},
              {},
              {},
              {}},
             {"toy.call", CaseKind::timed, {}, {{"call", "ns", "lower"}}, {}, {}, {}, {}},
             {"toy.weights", CaseKind::exact, {}, {}, {}, {}, {}, {}},
             {"toy.fit", CaseKind::trained, {}, {{"time", "ns", "lower"}}, {}, {}, {}, {}}};
  s.groups = {{"toy.step", {"toy.step", "toy.step{mode=eager}"}}};
  s.comparisons = {{"toy.eager", "time", "toy.step", "toy.step{mode=eager}"}};
  result.scenarios.push_back(std::move(s));
  validate(result);
  return result;
}

}  // namespace assay::tests
