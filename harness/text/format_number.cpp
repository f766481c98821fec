#include "harness/text/format_number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

namespace assay::harness {
namespace {

struct Unit {
  double factor;
  std::string name;
};
using Scale = std::vector<Unit>;  // smallest first

Scale decimal_scale(const std::string& name) {
  Scale scale;
  double factor = 1;
  for (const char* prefix : {"", "k", "M", "G", "T", "P"}) {
    scale.push_back({factor, prefix + name});
    factor *= 1000;
  }
  return scale;
}

const Scale* scale_of(const std::string& unit) {
  static const Scale bytes{{1, "B"}, {0x1p10, "KiB"}, {0x1p20, "MiB"}, {0x1p30, "GiB"}, {0x1p40, "TiB"}};
  static const Scale byte_rates = decimal_scale("B/s"), flop_rates = decimal_scale("FLOP/s");
  static const std::map<std::string, Scale> scales{{"ns", {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}}},
                                                   {"s", {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}}},
                                                   {"byte", bytes},
                                                   {"bytes", bytes},
                                                   {"B", bytes},
                                                   {"byte/s", byte_rates},
                                                   {"bytes/s", byte_rates},
                                                   {"B/s", byte_rates},
                                                   {"flop/s", flop_rates},
                                                   {"FLOP/s", flop_rates},
                                                   {"FLOP", decimal_scale("FLOP")}};
  const auto found = scales.find(unit);
  return found == scales.end() ? nullptr : &found->second;
}

/// The unit in which `value` has one to three digits before the point once it is rounded: 999.96 ns is 1 us.
Unit unit_for(double value, const std::string& unit) {
  const Scale* const scale = scale_of(unit);
  if (!scale) return {1, unit};
  Unit best = scale->front();
  for (const Unit& next : *scale)
    if (std::abs(value) >= next.factor * 0.9995) best = next;
  return best;
}

template <class... Arguments>
std::string printed(const char* format, Arguments... arguments) {
  std::array<char, 400> text{};  // the longest is 1.8e308 with its decimals
  std::snprintf(text.data(), text.size(), format, arguments...);
  return text.data();
}

int magnitude_of(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

double rounded(double value, int digits) { return std::strtod(printed("%.*e", digits - 1, value).c_str(), nullptr); }

void strip_zeros(std::string& text) {
  if (text.find('.') == std::string::npos) return;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
}

bool is_share(const std::string& unit, const std::string& metric) {
  return unit == "share" || (unit.empty() && ("_" + metric + "_").find("_share_") != std::string::npos);
}

/// Like format_number(), but 2 is 2.00 beside numbers that show three digits.
std::string significant(double value) {
  constexpr int digits = 3;
  if (value == 0 || std::abs(value) < 1e-4 || std::abs(value) >= 1e7) return format_number(value, digits);
  const double shown = rounded(value, digits);
  return format_decimals(shown, std::max(0, digits - 1 - magnitude_of(shown)));
}

/// Decimals with which the width of an interval shows two digits, and a value at least three.
int decimals_of(const std::array<double, 3>& values, double largest) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const int magnitude = magnitude_of(largest);
  int places = 2 - magnitude;
  if (*high > *low) places = std::max(places, 1 - magnitude_of(*high - *low));
  return std::max(0, std::min(places, 4 - magnitude));
}

/// Numbers that are read against each other: equal decimals, unless one of them would keep fewer than two significant
/// digits. What is far below the largest is rounding noise, and 0.
std::array<std::string, 3> together(std::array<double, 3> values) {
  double largest = 0, smallest = INFINITY;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  for (double& value : values) {
    if (std::abs(value) < 1e-12 * largest) value = 0;
    if (value != 0) smallest = std::min(smallest, std::abs(value));
  }
  std::array<std::string, 3> texts;
  const auto each = [&](const auto& text) {
    std::transform(values.begin(), values.end(), texts.begin(), text);
    return texts;
  };
  if (largest < 1e-4 || largest >= 1e7) return each([](double value) { return format_number(value); });
  const int places = decimals_of(values, largest);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if ((*low >= 0 || *high <= 0) && smallest < std::pow(10.0, 1 - places)) return each(significant);
  return each([places](double value) { return format_decimals(value, places); });
}

}  // namespace

std::string format_decimals(double value, int places) {
  std::string text = printed("%.*f", places, value);
  if (text.find_first_of("123456789") == std::string::npos && text.front() == '-') text.erase(0, 1);
  const std::size_t first = text.front() == '-' ? 1 : 0, end = std::min(text.find('.'), text.size());
  for (std::size_t at = end; at > first + 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string format_number(double value, int digits) {
  if (!std::isfinite(value)) return "not finite";
  if (value == 0) return "0";
  const double shown = rounded(value, std::max(digits, 1 + magnitude_of(value)));
  const int magnitude = magnitude_of(shown);
  if (magnitude < -4 || magnitude >= 7) {
    std::string text = printed("%.*e", digits - 1, shown);
    const auto exponent = text.find('e');
    std::string mantissa = text.substr(0, exponent);
    strip_zeros(mantissa);
    return mantissa + "e" + std::to_string(std::atoi(text.c_str() + exponent + 1));
  }
  std::string text = format_decimals(shown, std::max(0, digits - 1 - magnitude));
  strip_zeros(text);
  return text;
}

std::string format_percent(double share, int digits) { return format_number(share * 100, digits) + " %"; }

std::string format_quantity(double value, const std::string& unit, const std::string& metric) {
  if (is_share(unit, metric)) return format_percent(value);
  const auto [factor, name] = unit_for(value, unit);
  const bool accuracy = name.empty() && 0.1 <= std::abs(value) && std::abs(value) < 1;  // of 2,000 rows: four digits
  return format_number(value / factor, accuracy ? 4 : 3) + (name.empty() ? "" : " " + name);
}

std::string format_interval(std::optional<double> value, std::optional<double> low, std::optional<double> high,
                            const std::string& unit, const std::string& metric) {
  if (!value) return "-";
  if (!low || !high || *low == *high) return format_quantity(*value, unit, metric);
  const Unit scale = is_share(unit, metric)
                         ? Unit{0.01, "%"}
                         : unit_for(*value != 0 ? *value : std::max(std::abs(*low), std::abs(*high)), unit);
  const auto texts = together({*value / scale.factor, *low / scale.factor, *high / scale.factor});
  return texts[0] + " [" + texts[1] + ", " + texts[2] + "]" + (scale.name.empty() ? "" : " " + scale.name);
}

std::string format_effect(std::optional<double> value, std::optional<double> low, std::optional<double> high,
                          const std::string& form, const std::string& unit, const std::string& metric) {
  if (!value) return "-";
  std::string text = format_interval(value, low, high, form == "ratio" ? "" : unit, form == "ratio" ? "" : metric);
  const std::size_t end = std::min(text.find(" ["), text.size());
  if (form == "ratio") return text.insert(end, "x");
  const bool above = *value > 0 && text.find_first_of("123456789") < end;
  return (above ? "+" : "") + text;
}

}  // namespace assay::harness
