#pragma once
#include <vector>

#include "harness/cases/program.hpp"

namespace assay::scenarios {

/// The profiles as data: rounds and repetitions of timed cases, seeds of trained ones, lengths of the protocols.
std::vector<harness::Profile> profiles();

}  // namespace assay::scenarios
