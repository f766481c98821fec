#pragma once
#include <filesystem>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// Reads the document of a finished run from its folder or its run.json. Throws CommandError 2 if it is missing, is not
/// a run document or has another schema.
nlohmann::json read_run(const std::filesystem::path& run);

}  // namespace assay::harness
