#pragma once
#include <filesystem>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// The document of a finished run: its folder, or its run.json. Throws RunError 2 for what is missing, is no run
/// document, or has another schema.
nlohmann::json read_run(const std::filesystem::path& run);

}  // namespace assay::harness
