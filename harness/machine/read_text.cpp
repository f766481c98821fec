#include "harness/machine/read_text.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

namespace assay::harness {
namespace {
constexpr std::string_view blanks = " \t\r\n";

/// Bytes of the UTF-8 character at the start of `text`; 0 where there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // longer than needed, a surrogate, or above U+10FFFF
  const unsigned char next = byte(1);
  const bool wrong = (lead == 0xe0 && next < 0xa0) || (lead == 0xed && next > 0x9f) || (lead == 0xf0 && next < 0x90) ||
                     (lead == 0xf4 && next > 0x8f);
  return wrong ? 0 : length;
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  text = trimmed(text);
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}
}  // namespace

std::optional<std::string> read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), {}};
  // some files of /sys open and then refuse to be read
  if (file.bad()) return std::nullopt;
  return text;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (auto at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
    const auto end = std::min(text.find_first_of(blanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(blanks, end);
  }
  return words;
}

std::optional<std::pair<std::string_view, std::string_view>> key_value(std::string_view line, char separator) {
  const auto at = line.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  return std::pair{trimmed(line.substr(0, at)), trimmed(line.substr(at + 1))};
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const bool control = length == 1 && (static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7f);
    if (length == 0 || control)
      result += '?';
    else
      result += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

std::string unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  const bool literal = quoted && text.front() == '\'';  // a backslash means itself between single quotes
  if (quoted) text = text.substr(1, text.size() - 2);
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && !literal && i + 1 < text.size()) ++i;
    value += text[i];
  }
  return value;
}

std::optional<long long> integer_of(std::string_view text) { return number_of<long long>(text); }

std::optional<std::uint64_t> counter_of(std::string_view text) { return number_of<std::uint64_t>(text); }

std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  std::error_code error;  // entries of /proc and /sys may vanish while they are listed
  for (std::filesystem::directory_iterator entry{folder, error}, end; !error && entry != end; entry.increment(error))
    entries.push_back(entry->path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::optional<long long> read_integer(const std::filesystem::path& path) {
  const auto text = read_text(path);
  return text ? integer_of(*text) : std::nullopt;
}

}  // namespace assay::harness
