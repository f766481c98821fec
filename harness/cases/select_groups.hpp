#pragma once
#include <string>
#include <vector>

#include "harness/cases/catalogue.hpp"

namespace assay::harness {

/// Makes these groups all that a scenario measures: cases that none of them holds or needs are left out, and all
/// comparisons and gates.
void select_groups(Catalogue& catalogue, const std::string& scenario, std::vector<Group> groups);

}  // namespace assay::harness
