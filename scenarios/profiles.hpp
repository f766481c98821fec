#pragma once
#include <vector>

#include "harness/cases/program.hpp"

namespace assay::scenarios {

/// The profiles: rounds and repetitions of timed cases, seeds of trained ones, and the scenarios' lengths.
std::vector<harness::Profile> profiles(const std::vector<harness::Scenario>& scenarios);

/// The largest value of a length ("rows", "test_rows") over all scenarios and profiles.
std::int64_t max_length(const std::vector<harness::Profile>& profiles, const std::string& length);

}  // namespace assay::scenarios
