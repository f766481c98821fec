#include "harness/text/columns.hpp"

#include <algorithm>
#include <sstream>

namespace assay::harness {

namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

/// Bytes of the first `count` characters.
std::size_t bytes_of(const std::string& text, std::size_t count) {
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size(); ++at)
    if (starts_character(text[at]) && seen++ == count) break;
  return at;
}

}  // namespace

std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  width = std::max<std::size_t>(width, 1);
  std::vector<std::string> lines;
  std::string line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && shown_width(line) + 1 + shown_width(word) > width) {
      lines.push_back(line);
      line.clear();
    }
    for (; shown_width(word) > width; word.erase(0, bytes_of(word, width)))
      lines.push_back(word.substr(0, bytes_of(word, width)));
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty() || lines.empty()) lines.push_back(line);
  return lines;
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t shown = shown_width(text);
  return shown < width ? text + std::string(width - shown, ' ') : text;
}

}  // namespace assay::harness
