#include "harness/ablation/table.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <ostream>

#include "harness/ablation/effects.hpp"
#include "harness/claims/verdict_lines.hpp"
#include "harness/text/columns.hpp"
#include "harness/text/format_number.hpp"

namespace assay::harness {
namespace {

std::string median_text(const std::optional<double>& value, const std::string& unit) {
  return value ? format_quantity(*value, unit) : "not measured";
}

std::string ratio_text(const SwitchEffect& effect) {
  return format_effect(effect.estimate, effect.low, effect.high, "ratio");
}

/// The colour of the claims' verdict that means the same for a reader.
std::string tone(const std::string& verdict) {
  static const std::map<std::string, std::string> tones{{"helps", "holds"}, {"hurts", "fails"}, {"invalid", "fails"}};
  const auto found = tones.find(verdict);
  return found == tones.end() ? "undecided" : found->second;
}

using Cells = std::array<std::string, 3>;  // control, alone off, alone on

std::string cell(const std::optional<SwitchEffect>& effect) {
  if (!effect) return "-";
  return effect->estimate ? ratio_text(*effect) + "  " + effect->verdict : effect->verdict;
}

std::string toned(const std::string& text, const std::optional<SwitchEffect>& effect, bool colour) {
  return effect && tone(effect->verdict) != "undecided" ? coloured(text, tone(effect->verdict), colour) : text;
}

/// Why a ratio is missing; equal reasons once.
void print_invalid(const Ablation& ablation, std::ostream& out, std::size_t width) {
  std::map<std::string, std::string> controls;  // by reason
  const auto note = [&](const std::optional<SwitchEffect>& effect, const std::string& which) {
    if (effect && effect->verdict == "invalid")
      controls[effect->reason] += (controls[effect->reason].empty() ? "" : ", ") + which;
  };
  note(ablation.everything, "all off");
  for (const ControlEffect& one : ablation.controls) {
    note(one.alone_off, one.control + " off");
    note(one.alone_on, one.control + " on");
  }
  for (const auto& [reason, which] : controls)
    for (const std::string& line : wrapped("invalid (" + which + "): " + reason, width - 2))
      out << "  " << line << '\n';
}

void print_one(const Ablation& ablation, bool several, std::ostream& out, bool colour, std::size_t width) {
  const std::string title = (several ? ablation.program + ":" : "") + ablation.configuration + "  " + ablation.metric;
  out << strong(title, colour) << '\n';
  out << "  all on " << median_text(ablation.all_on, ablation.unit) << ", all off "
      << median_text(ablation.all_off, ablation.unit) << ": "
      << toned(cell(ablation.everything), ablation.everything, colour) << "\n\n";

  std::vector<Cells> table{{"control", "alone off (to all on)", "alone on (to what it needs)"}};
  for (const ControlEffect& one : ablation.controls)
    table.push_back({one.control, cell(one.alone_off), cell(one.alone_on)});
  std::array<std::size_t, 3> widths{};
  for (const Cells& cells : table)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], shown_width(cells[i]));
  const bool narrow = widths[0] + widths[1] + widths[2] + 6 > width;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Cells& cells = table[i];
    const ControlEffect* const one = i == 0 ? nullptr : &ablation.controls[i - 1];
    const std::string off =
        one ? toned(padded(cells[1], widths[1]), one->alone_off, colour) : padded(cells[1], widths[1]);
    const std::string on = one ? toned(cells[2], one->alone_on, colour) : cells[2];
    if (narrow)
      out << "  " << cells[0] << (one ? "\n    off  " + off + "\n    on   " + on : ": off, and on") << '\n';
    else
      out << "  " << padded(cells[0], widths[0]) << "  " << off << "  " << on << '\n';
  }
  print_invalid(ablation, out, width);
}

}  // namespace

void print_ablation(const nlohmann::json& document, std::ostream& out, bool colour, int columns) {
  const auto width = static_cast<std::size_t>(std::clamp(columns, 40, 160));
  for (const std::string& text : headlines(document))
    for (const std::string& line : wrapped(text, width)) out << line << '\n';
  const auto all = ablations(document);
  for (const Ablation& ablation : all) {
    print_one(ablation, document.at("programs").size() > 1, out, colour, width);
    out << '\n';
  }
  for (const std::string& line :
       wrapped("Ratios of times: off, above 1 means slower without it; on, below 1 means faster with it. Alone on is "
               "measured with the controls that it needs, against those alone.",
               width))
    out << line << '\n';
  for (const LeftOut& one : left_out(document))
    for (const std::string& line : wrapped(one.control + " was left out: " + one.reason, width)) out << line << '\n';
}

}  // namespace assay::harness
