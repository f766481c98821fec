#pragma once
#include "harness/cases/scenario.hpp"

namespace assay::scenarios {

/// What does leaving tracing off cost, and does it matter how a model is called? README.md beside this file is the
/// protocol.
harness::Scenario tracing_scenario();

// The bodies of its cases, one idea a file.
namespace tracing {
void weights(const harness::Parameters&, harness::Reporter&);         // weights.cpp
void step(const harness::Parameters&, harness::Reporter&);            // step.cpp
void call(const harness::Parameters&, harness::Reporter&);            // call.cpp
void batch(const harness::Parameters&, harness::Reporter&);           // batch.cpp
void fit(const harness::Parameters&, harness::Reporter&);             // training.cpp
void loop(const harness::Parameters&, harness::Reporter&);            // training.cpp
void metric_average(const harness::Parameters&, harness::Reporter&);  // metric_average.cpp
void trace_cost(const harness::Parameters&, harness::Reporter&);      // trace_cost.cpp
}  // namespace tracing

}  // namespace assay::scenarios
