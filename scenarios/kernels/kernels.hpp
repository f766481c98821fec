#pragma once
#include "harness/cases/scenario.hpp"
#include "scenarios/kernels/operations.hpp"

namespace assay::scenarios {

/// How fast is every operation of the engine, and how far from what this machine could do? README.md beside this file
/// is the protocol.
harness::Scenario kernels_scenario();

namespace kernels {

/// The body of a family's case: every size of every operation of the family.
void report_family(Family family, const harness::Parameters& parameters, harness::Reporter& report);

/// Google Benchmark's own program over the same table: its flags, and --off and --threads. Returns the exit code.
int benchmark_main(int argc, char** argv);

}  // namespace kernels
}  // namespace assay::scenarios
