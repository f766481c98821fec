#pragma once
#include <string>
#include <vector>

#include "harness/cases/catalogue.hpp"

namespace assay::harness {

/// Restricts a scenario to these groups. Removes the cases that no group holds or needs, and all comparisons, gates and
/// ablations.
void select_groups(Catalogue& catalogue, const std::string& scenario, std::vector<Group> groups);

}  // namespace assay::harness
