#include "harness/gate/preset.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "harness/text/format_number.hpp"

namespace assay::harness {
namespace {

constexpr std::array<Preset, 4> table{{{0.02, 0.035}, {0.03, 0.05}, {0.05, 0.08}, {0.10, 0.15}}};
constexpr double close = 1e-9;  // "3%" is 0.03 but for rounding

}  // namespace

double Preset::log_floor() const { return std::log1p(floor); }
double Preset::log_margin() const { return std::log1p(margin); }
std::string Preset::text() const { return format_percent(floor) + " / " + format_percent(margin); }

std::span<const Preset> presets() { return table; }

Preset preset_of(double floor) {
  if (!(floor > 0 && floor < 1))
    throw std::domain_error("a floor of " + format_percent(floor) + "; expected more than 0 % and less than 100 %");
  for (const Preset& preset : table)
    if (std::abs(preset.floor - floor) < close) return preset;
  return {floor, floor * 5 / 3};  // the ratios of the table are 1.5 to 1.75
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
  const std::string text = format_decimals(share * 100, 1) + " %";
  return sign && share >= 0 && text != "0.0 %" ? "+" + text : text;
}

}  // namespace assay::harness
