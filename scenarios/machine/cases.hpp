#pragma once
#include "harness/cases/parameters.hpp"
#include "harness/cases/reporter.hpp"

namespace assay::scenarios::machine {

// The bodies of the scenario's cases, one a file.

/// Rate of a large matrix product in one dtype.
void rate(const harness::Parameters& parameters, harness::Reporter& report);
/// Clock, rate of a register-only multiply-add loop, and the peak that follows.
void peak(const harness::Parameters& parameters, harness::Reporter& report);
/// Read, copy and triad over growing working sets.
void bandwidth(const harness::Parameters& parameters, harness::Reporter& report);
/// What a call costs when there is next to nothing to compute.
void dispatch(const harness::Parameters& parameters, harness::Reporter& report);
/// Start and end of a process that does nothing.
void process(const harness::Parameters& parameters, harness::Reporter& report);
/// Memory of the own node against another's.
void numa(const harness::Parameters& parameters, harness::Reporter& report);
/// Joules of a large matrix product.
void energy(const harness::Parameters& parameters, harness::Reporter& report);

}  // namespace assay::scenarios::machine
