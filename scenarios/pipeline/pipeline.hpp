#pragma once
#include "harness/cases/scenario.hpp"

namespace assay::scenarios {

/// What is an option of a data pipeline worth once the automatic rewrites are off? README.md beside this file is the
/// protocol.
harness::Scenario pipeline_scenario();

// The bodies of its cases, one idea a file.
namespace pipeline {
void epoch(const harness::Parameters&, harness::Reporter&);       // epoch.cpp
void sweep(const harness::Parameters&, harness::Reporter&);       // epoch.cpp
void supplied(const harness::Parameters&, harness::Reporter&);    // supplied.cpp
void starve(const harness::Parameters&, harness::Reporter&);      // starve.cpp
void crossover(const harness::Parameters&, harness::Reporter&);   // crossover.cpp
void vectorized(const harness::Parameters&, harness::Reporter&);  // vectorized.cpp
void noop(const harness::Parameters&, harness::Reporter&);        // noop.cpp
void stragglers(const harness::Parameters&, harness::Reporter&);  // stragglers.cpp
void first(const harness::Parameters&, harness::Reporter&);       // first.cpp
void cached(const harness::Parameters&, harness::Reporter&);      // cached.cpp
void train(const harness::Parameters&, harness::Reporter&);       // train.cpp
void answers(const harness::Parameters&, harness::Reporter&);     // answers.cpp
}  // namespace pipeline

}  // namespace assay::scenarios
