#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace assay::harness {

/// MemTotal of /proc/meminfo in bytes, rounded up to a whole GiB, since the kernel keeps a varying amount for itself.
std::optional<std::uint64_t> parse_memory_total(std::string_view proc_meminfo);

/// A field of /proc/meminfo ("SwapTotal") in bytes.
std::optional<std::uint64_t> parse_memory_field(std::string_view proc_meminfo, std::string_view field);

/// Physical memory in bytes, the same from boot to boot: the memory blocks that are online, or MemTotal where the
/// kernel lists no blocks.
std::optional<std::uint64_t> memory_total(const std::filesystem::path& blocks = "/sys/devices/system/memory");

}  // namespace assay::harness
