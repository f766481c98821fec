#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::harness {

/// The whole file; nullopt where it cannot be read. It suits files of /proc and /sys, whose size is not known in
/// advance.
std::optional<std::string> read_text(const std::filesystem::path& path);

/// The text without white space at both ends.
std::string_view trimmed(std::string_view text);

/// The lines without their newlines.
std::vector<std::string_view> lines_of(std::string_view text);

/// The words that white space separates.
std::vector<std::string_view> words_of(std::string_view text);

/// The text with "?" in place of control characters and of bytes that are not UTF-8. Names of processes and devices may
/// hold any byte.
std::string printable(std::string_view text);

/// "key : value" trimmed; nullopt without the separator.
std::optional<std::pair<std::string_view, std::string_view>> key_value(std::string_view line, char separator = ':');

/// A value of /etc/os-release, which quotes as a shell does: "Debian \"12\"" is Debian "12".
std::string unquoted(std::string_view text);

/// A whole decimal number; nullopt for anything else, also where it does not fit.
std::optional<long long> integer_of(std::string_view text);

/// A whole number from 0 to 2^64 - 1, the range of the kernel's counters.
std::optional<std::uint64_t> counter_of(std::string_view text);

/// What a folder holds, sorted; empty where it cannot be read.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

/// integer_of a file's text.
std::optional<long long> read_integer(const std::filesystem::path& path);

}  // namespace assay::harness
