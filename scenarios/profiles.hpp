#pragma once
#include <vector>

#include "harness/cases/program.hpp"

namespace assay::scenarios {

/// The profiles as data: rounds and repetitions of timed cases, seeds of trained ones, lengths of the protocols.
std::vector<harness::Profile> profiles();

/// The largest of a length ("rows", "test_rows") over all scenarios and profiles: what data must have.
std::int64_t max_rows(const std::string& length);

}  // namespace assay::scenarios
