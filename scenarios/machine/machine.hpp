#pragma once
#include "harness/cases/scenario.hpp"

namespace assay::scenarios {

/// What this machine is, and the limits that the other scenarios are held against (README.md beside this file).
harness::Scenario machine_scenario();

}  // namespace assay::scenarios
