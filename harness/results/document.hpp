#pragma once
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/results/store.hpp"  // a maker of documents also writes them

namespace assay::harness {

/// Version of the run document that this build writes.
inline constexpr int schema_version = 1;

/// The median steal, in percent, above which nothing is judged.
inline constexpr double max_steal_percent = 2.0;

/// Makes the run document (docs/run_document.md) from the records of a run and the published claims. This is a pure
/// function: the same records always give the same bytes. Throws std::runtime_error if the first record is not a `run`
/// of this schema.
nlohmann::json make_document(const std::vector<nlohmann::json>& records, const nlohmann::json& claims);

}  // namespace assay::harness
