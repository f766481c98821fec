#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

namespace assay::engine {

/// The content of a gzip file, at most `most` bytes of it: a header that promises too much must not take the memory of
/// the machine. Throws DataError for a file that is missing, is no gzip, is cut off or broken, or holds more.
std::vector<std::uint8_t> read_gzip(const std::filesystem::path& file, std::size_t most = std::size_t{1} << 30);

}  // namespace assay::engine
