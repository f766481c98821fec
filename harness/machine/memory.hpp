#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace assay::harness {

/// MemTotal of /proc/meminfo in bytes, rounded up to a whole GiB: the kernel keeps a little for itself, not always as
/// much.
std::optional<std::uint64_t> parse_memory_total(std::string_view proc_meminfo);

/// A field of /proc/meminfo ("SwapTotal") in bytes.
std::optional<std::uint64_t> parse_memory_field(std::string_view proc_meminfo, std::string_view field);

/// Physical memory in bytes, the same from boot to boot: the memory blocks of /sys that are online where the kernel
/// lists them, else MemTotal.
std::optional<std::uint64_t> memory_total(const std::filesystem::path& blocks = "/sys/devices/system/memory");

}  // namespace assay::harness
