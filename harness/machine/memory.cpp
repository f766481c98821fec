#include "harness/machine/memory.hpp"

#include <charconv>

#include "harness/machine/read_text.hpp"

namespace assay::harness {
namespace {
namespace fs = std::filesystem;
constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

std::optional<std::uint64_t> online_blocks(const fs::path& folder) {
  const auto size_text = read_text(folder / "block_size_bytes");
  if (!size_text) return std::nullopt;
  const auto digits = trimmed(*size_text);
  std::uint64_t size = 0, online = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (read_integer(entry.path() / "online") == 1) ++online;
  return size * online == 0 ? std::nullopt : std::optional{size * online};
}

}  // namespace

std::optional<std::uint64_t> parse_memory_field(std::string_view proc_meminfo, std::string_view field) {
  for (const auto line : lines_of(proc_meminfo)) {
    const auto pair = key_value(line);
    if (!pair || pair->first != field) continue;
    const auto words = words_of(pair->second);
    const auto kibibytes = words.empty() ? std::nullopt : integer_of(words[0]);
    if (kibibytes && *kibibytes >= 0) return static_cast<std::uint64_t>(*kibibytes) * 1024;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> parse_memory_total(std::string_view proc_meminfo) {
  const auto bytes = parse_memory_field(proc_meminfo, "MemTotal");
  if (!bytes) return std::nullopt;
  return (*bytes + gibibyte - 1) / gibibyte * gibibyte;
}

std::optional<std::uint64_t> memory_total(const fs::path& blocks) {
  if (const auto bytes = online_blocks(blocks)) return bytes;
  const auto text = read_text("/proc/meminfo");
  return text ? parse_memory_total(*text) : std::nullopt;
}

}  // namespace assay::harness
