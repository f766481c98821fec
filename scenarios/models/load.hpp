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
/// The first rows of the test split, raw pixels: what the serving convnet is called with.
engine::Tensor calling_rows(const harness::Parameters& parameters, std::int64_t rows);
/// Threads of an inference call as `models.threads` measured them for a batch.
int chosen_threads(const harness::Parameters& parameters, std::int64_t batch);
/// The first 128 training rows, pixels / 255, shaped as the model takes them.
tracing::Batch first_batch(const harness::Parameters& parameters, const std::string& name);

}  // namespace assay::scenarios::models
