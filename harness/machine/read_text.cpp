#include "harness/machine/read_text.hpp"

#include <charconv>
#include <fstream>
#include <iterator>

namespace assay::harness {
namespace {
constexpr std::string_view blanks = " \t\r\n";
}

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

std::optional<long long> integer_of(std::string_view text) {
  text = trimmed(text);
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<long long> read_integer(const std::filesystem::path& path) {
  const auto text = read_text(path);
  return text ? integer_of(*text) : std::nullopt;
}

}  // namespace assay::harness
