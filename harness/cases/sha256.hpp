#pragma once
#include <filesystem>
#include <string>

namespace assay::harness {

/// Of the whole file, in lower-case hexadecimal. Throws std::runtime_error that names the file.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace assay::harness
