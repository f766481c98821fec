#pragma once
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/results/store.hpp"  // who makes a document also writes it

namespace assay::harness {

/// Version of the run document that this build writes.
inline constexpr int schema_version = 1;

/// Median steal above which a run judges nothing, percent.
inline constexpr double max_steal_percent = 2.0;

/// The run document (docs/run_document.md) from the records of a run and the published claims: a pure function, so that
/// the same records always give the same bytes. Throws std::runtime_error where the first record is no `run` of
/// schema 1.
nlohmann::json make_document(const std::vector<nlohmann::json>& records, const nlohmann::json& claims);

}  // namespace assay::harness
