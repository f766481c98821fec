#pragma once
#include <filesystem>
#include <string>

namespace assay::harness {

/// Of the whole file, in lower-case hexadecimal. Throws std::runtime_error that names the file.
std::string sha256_of_file(const std::filesystem::path& path);

/// Of names, sizes and contents of the regular files in a folder (not in folders below it), whatever their order on
/// disk. Throws std::runtime_error that names the folder or file.
std::string sha256_of_folder(const std::filesystem::path& folder);

}  // namespace assay::harness
