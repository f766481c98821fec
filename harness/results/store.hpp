#pragma once
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// Writes the whole text beside `path` and renames it, so that readers see either the old file or the new one. Throws
/// std::runtime_error that names the file and the cause.
void write_atomically(const std::filesystem::path& path, const std::string& text);

/// The text of a document on disk: sorted keys, one space of indent for each level, and a final line end.
std::string document_text(const nlohmann::json& document);
void write_document(const std::filesystem::path& path, const nlohmann::json& document);

/// Reads a run document. Throws DataError for a file that is missing, is not a run document or has another schema.
nlohmann::json read_document(const std::filesystem::path& path);

}  // namespace assay::harness
