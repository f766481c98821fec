#include "harness/machine/memory.hpp"

#include <charconv>
#include <limits>

#include "harness/machine/read_text.hpp"

namespace assay::harness {
namespace {
namespace fs = std::filesystem;
constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> online_blocks(const fs::path& folder) {
  const auto size_text = read_text(folder / "block_size_bytes");
  if (!size_text) return std::nullopt;
  const auto digits = trimmed(*size_text);
  std::uint64_t size = 0, online = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  for (const auto& block : entries_of(folder))
    if (read_integer(block / "online") == 1) ++online;
  if (size == 0 || online == 0 || size > largest / online) return std::nullopt;
  return size * online;
}

}  // namespace

std::optional<std::uint64_t> parse_memory_field(std::string_view proc_meminfo, std::string_view field) {
  for (const auto line : lines_of(proc_meminfo)) {
    const auto pair = key_value(line);
    if (!pair || pair->first != field) continue;
    const auto words = words_of(pair->second);
    const auto kibibytes = words.empty() ? std::nullopt : counter_of(words[0]);
    if (kibibytes && *kibibytes <= largest / 1024) return *kibibytes * 1024;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> parse_memory_total(std::string_view proc_meminfo) {
  const auto bytes = parse_memory_field(proc_meminfo, "MemTotal");
  if (!bytes || *bytes > largest - gibibyte) return std::nullopt;
  return (*bytes + gibibyte - 1) / gibibyte * gibibyte;
}

std::optional<std::uint64_t> memory_total(const fs::path& blocks) {
  if (const auto bytes = online_blocks(blocks)) return bytes;
  const auto text = read_text("/proc/meminfo");
  return text ? parse_memory_total(*text) : std::nullopt;
}

}  // namespace assay::harness
