#pragma once
#include <filesystem>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// The published claims (results/published/claims.json): the list itself, each claim checked and completed, so that
/// every field stands in every claim. Throws DataError that names file and claim.
nlohmann::json load_claims(const std::filesystem::path& path);

/// The check and completion alone. Throws std::invalid_argument that names the claim.
nlohmann::json complete_claims(const nlohmann::json& claims);

}  // namespace assay::harness
