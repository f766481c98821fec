#include "harness/cases/case_id.hpp"

#include <cctype>
#include <stdexcept>

namespace assay::harness {
namespace {

[[noreturn]] void fail(std::string_view id, const std::string& what) {
  throw std::invalid_argument("configuration '" + std::string(id) + "': " + what +
                              "; expected scenario.case or scenario.case{key=value,…}");
}

bool is_name(std::string_view text, std::string_view more) {
  if (text.empty()) return false;
  for (const char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && more.find(c) == std::string_view::npos) return false;
  return true;
}

}  // namespace

CaseId parse_case_id(std::string_view id) {
  const auto brace = id.find('{');
  CaseId result{std::string(id.substr(0, brace)), {}};
  if (!is_name(result.case_name, "_-.")) fail(id, "'" + result.case_name + "' is not a case name");
  if (brace == std::string_view::npos) return result;
  if (id.back() != '}') fail(id, "the closing brace is missing");
  std::string_view rest = id.substr(brace + 1, id.size() - brace - 2);
  if (rest.empty()) fail(id, "the braces are empty");
  while (true) {
    const auto comma = rest.find(',');
    const std::string_view pair = rest.substr(0, comma);
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos) fail(id, "'" + std::string(pair) + "' has no '='");
    const std::string_view key = pair.substr(0, equals), value = pair.substr(equals + 1);
    if (!is_name(key, "_-")) fail(id, "'" + std::string(key) + "' is not a key");
    if (!is_name(value, "_-.+:/")) fail(id, "'" + std::string(value) + "' is not a value");
    if (!result.values.emplace(key, value).second) fail(id, "key '" + std::string(key) + "' is given twice");
    if (comma == std::string_view::npos) return result;
    rest.remove_prefix(comma + 1);
  }
}

std::string format_case_id(const CaseId& id) {
  std::string text = id.case_name;
  char separator = '{';
  for (const auto& [key, value] : id.values) {
    text.append(1, separator).append(key).append("=").append(value);
    separator = ',';
  }
  if (!id.values.empty()) text.push_back('}');
  return text;
}

}  // namespace assay::harness
