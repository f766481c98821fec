#pragma once
#include "harness/cases/scenario.hpp"

namespace assay::scenarios {

/// The gate's own test object, offered only where ASSAY_SELFTEST is set: a case of known work whose slow-down, count
/// and faults are set by the environment, so that a gate has something to find.
harness::Scenario selftest_scenario();

}  // namespace assay::scenarios
