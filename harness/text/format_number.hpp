#pragma once
#include <optional>
#include <string>

namespace assay::harness {

// Numbers as people read them, in ASCII. plots/format.py writes the same digits with typographic signs;
// tests/number_texts.json holds both to the same text.

/// `digits` significant ones, thousands grouped, no trailing zeros: "1,234,567", "2.35", "0.00031", "5e-9".
std::string format_number(double value, int digits = 3);

/// A fixed number of decimals, without a negative zero.
std::string format_decimals(double value, int places);

/// 0.812 is "81.2 %".
std::string format_percent(double share, int digits = 3);

/// A value in the unit that leaves one to three digits before the point: 24460 ns is "24.5 us", 4096 B is "4 KiB". A
/// metric named `…share…` without a unit is shown in percent.
std::string format_quantity(double value, const std::string& unit, const std::string& metric = "");

/// "1.16 [1.12, 1.17] ms": one unit and one count of decimals for all three. The value alone where there is no
/// interval, "-" where there is no value.
std::string format_interval(std::optional<double> value, std::optional<double> low, std::optional<double> high,
                            const std::string& unit = "", const std::string& metric = "");

/// The estimate of a comparison: "1.16x [1.12, 1.17]" where `form` is "ratio", else a difference with its sign.
std::string format_effect(std::optional<double> value, std::optional<double> low, std::optional<double> high,
                          const std::string& form, const std::string& unit = "", const std::string& metric = "");

}  // namespace assay::harness
