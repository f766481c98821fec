#pragma once
#include <filesystem>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// Reads the published claims (results/published/claims.json). Every claim is checked and has every field afterwards.
/// Throws DataError that names the file and the claim.
nlohmann::json load_claims(const std::filesystem::path& path);

/// Checks and completes a list of claims. Throws std::invalid_argument that names the claim.
nlohmann::json complete_claims(const nlohmann::json& claims);

}  // namespace assay::harness
