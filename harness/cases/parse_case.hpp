#pragma once
#include <string>
#include <vector>

#include "harness/cases/program.hpp"

namespace assay::harness {

/// A command line of `case` that cannot be: names the option, what was expected and what was found. Exit 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The arguments after `PROGRAM case` (docs/protocol.md), completed: defaults of the case's parameters, controls that
/// its values stand for, lengths of the profile `standard` (else the first) under names without the scenario. Throws
/// UsageError.
Parameters parse_case(const Program& program, const std::vector<std::string>& arguments);

}  // namespace assay::harness
