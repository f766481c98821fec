#pragma once
#include <string>

#include "engine/nn/models.hpp"
#include "harness/cases/parameters.hpp"
#include "scenarios/tracing/protocol.hpp"

namespace assay::scenarios::models {

/// `mlp` (784-128-64-10), `convnet` (of section 5) or `serving` (of section 6), freshly initialised.
engine::Model make(const std::string& name, std::uint64_t seed);
/// The same with the weights of the artifact of that name.
engine::Model load(const harness::Parameters& parameters, const std::string& name);
/// The first 128 training rows, pixels / 255, shaped as the model takes them.
tracing::Batch first_batch(const harness::Parameters& parameters, const std::string& name);

}  // namespace assay::scenarios::models
