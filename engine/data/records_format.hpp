#pragma once
#include <zlib.h>

#include <cstdint>
#include <string_view>

namespace assay::engine::records {

// Constants of record files.
inline constexpr std::string_view magic = "ASSAYREC";
inline constexpr std::uint32_t version = 1;
inline constexpr std::uint32_t end_mark = 0xFFFFFFFFu;
/// The most bytes of a payload or an identity. A broken length must not take all memory.
inline constexpr std::uint32_t max_bytes = std::uint32_t{1} << 30;

/// The CRC-32 of bytes that follow those with the checksum `before`.
inline std::uint32_t checksum(const void* data, std::size_t bytes, std::uint32_t before = 0) {
  return static_cast<std::uint32_t>(crc32_z(before, static_cast<const Bytef*>(data), bytes));
}

}  // namespace assay::engine::records
