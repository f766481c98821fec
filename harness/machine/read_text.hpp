#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::harness {

/// The whole file; nullopt where it cannot be read. For files of /proc and /sys, whose size is not known before.
std::optional<std::string> read_text(const std::filesystem::path& path);

/// Without white space at both ends.
std::string_view trimmed(std::string_view text);

/// Lines without their ends.
std::vector<std::string_view> lines_of(std::string_view text);

/// Words between white space.
std::vector<std::string_view> words_of(std::string_view text);

/// "key : value" trimmed; nullopt without the separator.
std::optional<std::pair<std::string_view, std::string_view>> key_value(std::string_view line, char separator = ':');

/// A whole decimal number; nullopt for anything else.
std::optional<long long> integer_of(std::string_view text);

/// The same, read from a file.
std::optional<long long> read_integer(const std::filesystem::path& path);

}  // namespace assay::harness
