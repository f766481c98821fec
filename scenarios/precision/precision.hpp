#pragma once
#include "harness/cases/scenario.hpp"

namespace assay::scenarios {

/// Does lower precision make training and inference faster here, and what does it cost? README.md beside this file is
/// the protocol.
harness::Scenario precision_scenario();

// The bodies of its cases, one idea a file.
namespace precision {
void seed_weights(const harness::Parameters&, harness::Reporter&);  // training.cpp
void fit(const harness::Parameters&, harness::Reporter&);           // training.cpp
void step(const harness::Parameters&, harness::Reporter&);          // step.cpp
void infer(const harness::Parameters&, harness::Reporter&);         // inference.cpp
void inference(const harness::Parameters&, harness::Reporter&);     // inference.cpp
void underflow(const harness::Parameters&, harness::Reporter&);     // underflow.cpp
void loss_scale(const harness::Parameters&, harness::Reporter&);    // loss_scale.cpp
void memory(const harness::Parameters&, harness::Reporter&);        // memory.cpp
void sizes(const harness::Parameters&, harness::Reporter&);         // sizes.cpp
void fuse(const harness::Parameters&, harness::Reporter&);          // fuse.cpp
}  // namespace precision

}  // namespace assay::scenarios
