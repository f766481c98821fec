#include "harness/gate/preset.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace assay::harness {
namespace {

constexpr std::array<Preset, 4> table{{{0.02, 0.035}, {0.03, 0.05}, {0.05, 0.08}, {0.10, 0.15}}};
constexpr double close = 1e-9;  // "3%" is 0.03 but for rounding

std::string short_percent(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %%", share * 100);
  return text.data();
}

}  // namespace

double Preset::log_floor() const { return std::log1p(floor); }
double Preset::log_margin() const { return std::log1p(margin); }
std::string Preset::text() const { return short_percent(floor) + " / " + short_percent(margin); }

std::span<const Preset> presets() { return table; }

Preset preset_of(double floor) {
  if (!(floor > 0 && floor < 1))
    throw std::domain_error("a floor of " + short_percent(floor) + "; expected more than 0 % and less than 100 %");
  for (const Preset& preset : table)
    if (std::abs(preset.floor - floor) < close) return preset;
  return {floor, floor * 5 / 3};  // between the ratios of the table, 1.5 to 1.75
}

std::optional<Preset> coarser(double floor) {
  for (const Preset& preset : table)
    if (preset.floor > floor + close) return preset;
  return std::nullopt;
}

double parse_share(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  while (*end == ' ') ++end;
  const bool percent = *end == '%';
  if (percent) ++end;
  const double share = percent ? number / 100 : number;
  if (end == text.c_str() || *end != '\0' || !(share > 0 && share < 1))
    throw std::domain_error("'" + text + "': expected a share such as 3% or 0.03, above 0 and below 100 %");
  return share;
}

std::string percent_text(double share, bool sign) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), sign ? "%+.1f %%" : "%.1f %%", share * 100);
  return text.data();
}

}  // namespace assay::harness
