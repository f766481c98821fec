#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/cases/lookup.hpp"
#include "harness/cases/program.hpp"

namespace CLI {
class App;
}

namespace assay::harness {

/// The words of `PROGRAM case` (docs/protocol.md), read but not looked up yet.
struct CaseArguments {
  std::vector<std::string> set, artifacts, services, lengths;  // NAME=VALUE
  Parameters given;
};

/// Adds the options of `PROGRAM case` to a command; parsing it fills `arguments`, which must outlive that.
void add_case_options(CLI::App& command, CaseArguments& arguments);

/// The arguments completed: defaults of the case's parameters, controls that its values stand for, lengths of the
/// profile `standard` (else the first) under names without the scenario. Throws UsageError.
Parameters complete_case(const Program& program, const CaseArguments& arguments);

}  // namespace assay::harness
