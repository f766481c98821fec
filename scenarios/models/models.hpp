#pragma once
#include <string>
#include <vector>

#include "harness/cases/scenario.hpp"

namespace assay::scenarios {

/// How fast one training step and one inference call are, here and in other frameworks.
harness::Scenario models_scenario();

namespace models {

/// Rows of the timed calls.
inline const std::vector<std::string> batches{"1", "2", "8", "32", "128"};

void weights(const harness::Parameters& parameters, harness::Reporter& report);
void threads(const harness::Parameters& parameters, harness::Reporter& report);
void answers(const harness::Parameters& parameters, harness::Reporter& report);
void step(const harness::Parameters& parameters, harness::Reporter& report);
void call(const harness::Parameters& parameters, harness::Reporter& report);

}  // namespace models
}  // namespace assay::scenarios
