#pragma once
#include <zlib.h>

#include <cstdint>
#include <string_view>

namespace assay::engine::records {

// What writer and reader of record files share.
inline constexpr std::string_view magic = "ASSAYREC";
inline constexpr std::uint32_t version = 1;
inline constexpr std::uint32_t end_mark = 0xFFFFFFFFu;
/// A record's payload at most, and an identity: a length that is broken must not take the memory of the machine.
inline constexpr std::uint32_t max_bytes = std::uint32_t{1} << 30;

/// Of bytes that follow those with the checksum `before`.
inline std::uint32_t checksum(const void* data, std::size_t bytes, std::uint32_t before = 0) {
  return static_cast<std::uint32_t>(crc32_z(before, static_cast<const Bytef*>(data), bytes));
}

}  // namespace assay::engine::records
