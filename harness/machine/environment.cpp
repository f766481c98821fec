#include "harness/machine/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "harness/machine/environment_table.hpp"
#include "harness/machine/read_text.hpp"

namespace assay::harness {
namespace {

// Names that the launcher or the harness has cleared, separated by blanks. Where it is set, the rest is meant.
constexpr std::string_view cleared_variable = "ASSAY_CLEARED";

// Of this process. Constant-initialised: filled before any constructor runs. The texts stay where the kernel put them.
constinit std::array<const char*, 64> own_removed{};
constinit std::size_t own_count = 0;

std::string_view variable_name(std::string_view entry) { return entry.substr(0, entry.find('=')); }

}  // namespace

std::size_t clear_variables(char** environment, std::string_view kept, std::span<const char*> removed) {
  std::size_t count = 0;
  char** to = environment;
  for (char** from = environment; *from != nullptr; ++from) {
    const std::string_view name = variable_name(*from);
    const EnvironmentRule* rule = rule_of(name);
    const bool stays = !kept.empty() && name.starts_with(kept);
    if (rule == nullptr || rule->handling != Handling::cleared || stays) {
      *to++ = *from;
      continue;
    }
    if (count < removed.size()) removed[count] = *from;
    ++count;
  }
  *to = nullptr;
  return count;
}

void clear_own_environment(char** environment, std::string_view kept) {
  for (char** entry = environment; *entry != nullptr; ++entry)
    if (variable_name(*entry) == cleared_variable) return;
  own_count = std::min(clear_variables(environment, kept, own_removed), own_removed.size());
}

std::vector<std::string> child_environment(const std::map<std::string, std::string>& additions) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name{variable_name(*entry)};
    const EnvironmentRule* rule = rule_of(name);
    const bool passed_on = rule == nullptr || rule->handling == Handling::reported;
    if (passed_on && name != cleared_variable && !additions.contains(name)) result.emplace_back(*entry);
  }
  for (const auto& rule : environment_table())
    if (!rule.value.empty() && !additions.contains(std::string{rule.name}))
      result.push_back(std::string{rule.name} + "=" + std::string{rule.value});
  std::string cleared;
  for (const auto& name : environment_report().cleared) cleared += (cleared.empty() ? "" : " ") + name;
  result.push_back(std::string{cleared_variable} + "=" + cleared);
  for (const auto& [name, value] : additions) result.push_back(name + "=" + value);
  return result;
}

EnvironmentReport environment_report() {
  EnvironmentReport report;
  for (std::size_t i = 0; i < own_count; ++i) report.cleared.emplace_back(variable_name(own_removed[i]));
  const char* const before = std::getenv(std::string{cleared_variable}.c_str());
  for (const auto name : words_of(before == nullptr ? "" : before)) report.cleared.emplace_back(name);
  std::sort(report.cleared.begin(), report.cleared.end());
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text{*entry}, name = variable_name(text);
    const EnvironmentRule* rule = rule_of(name);
    if (rule == nullptr || rule->handling != Handling::reported) continue;
    report.reported[std::string{name}] = text.size() > name.size() ? printable(text.substr(name.size() + 1)) : "";
  }
  return report;
}

}  // namespace assay::harness
