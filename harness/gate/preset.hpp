#pragma once
#include <optional>
#include <span>
#include <string>

namespace assay::harness {

/// How small an effect the gate looks for. A regression is certain and larger than `floor`; what is certainly inside
/// `margin` is the same. Shares: 0.03 is 3 %.
struct Preset {
  double floor = 0.03, margin = 0.05;

  double log_floor() const;   // ln(1 + floor)
  double log_margin() const;  // ln(1 + margin)
  std::string text() const;   // "3 % / 5 %"
  friend bool operator==(const Preset&, const Preset&) = default;
};

/// The presets whose operating characteristics are known, from the finest: 2 / 3.5, 3 / 5, 5 / 8, 10 / 15 %.
std::span<const Preset> presets();

/// The preset with this floor; a floor that is in no preset gets a margin of 5 / 3 of it. Throws std::domain_error
/// unless 0 < floor < 1.
Preset preset_of(double floor);

/// The next coarser preset than this floor; none after the coarsest.
std::optional<Preset> coarser(double floor);

/// "3%", "3 %" or "0.03" as a share. Throws std::domain_error that names the text if it is no share between 0 and 1.
double parse_share(const std::string& text);

/// 0.0312 -> "3.1 %"; with `sign`, a positive one begins with "+".
std::string percent_text(double share, bool sign = false);

}  // namespace assay::harness
