#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

namespace assay::engine {

/// The content of a file, decompressed if it is gzip: its first two bytes decide, not its name. `max_bytes` limits the
/// content, because a small gzip file may promise more than the machine has memory for. Throws DataError for a file
/// that is missing, is broken or cut-off gzip, or holds more.
std::vector<std::uint8_t> read_maybe_gzipped(const std::filesystem::path& file,
                                             std::size_t max_bytes = std::size_t{1} << 30);

}  // namespace assay::engine
