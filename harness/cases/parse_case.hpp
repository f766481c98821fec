#pragma once
#include <string>
#include <vector>

#include "harness/cases/named.hpp"
#include "harness/cases/program.hpp"

namespace assay::harness {

/// The arguments after `PROGRAM case` (docs/protocol.md), completed: defaults of the case's parameters, controls that
/// its values stand for, lengths of the profile `standard` (else the first) under names without the scenario. Throws
/// UsageError.
Parameters parse_case(const Program& program, const std::vector<std::string>& arguments);

}  // namespace assay::harness
