#include "harness/ablation/table.hpp"

#include <algorithm>
#include <map>
#include <ostream>

#include "harness/ablation/effects.hpp"
#include "harness/claims/verdict_lines.hpp"
#include "harness/text/columns.hpp"
#include "harness/text/format_number.hpp"
#include "harness/text/table.hpp"

namespace assay::harness {
namespace {

std::string median_text(const std::optional<double>& value, const std::string& unit) {
  return value ? format_quantity(*value, unit) : "not measured";
}

std::string ratio_text(const SwitchEffect& effect) {
  return format_effect(effect.estimate, effect.low, effect.high, "ratio");
}

Colour colour_of_effect(const std::string& verdict) {
  static const std::map<std::string, Colour> colours{
      {"helps", Colour::green}, {"hurts", Colour::red}, {"invalid", Colour::red}};
  const auto found = colours.find(verdict);
  return found == colours.end() ? Colour::none : found->second;
}

TextTable::Cell cell(const std::optional<SwitchEffect>& effect) {
  if (!effect) return "-";
  return {effect->estimate ? ratio_text(*effect) + "  " + effect->verdict : effect->verdict,
          colour_of_effect(effect->verdict)};
}

std::string shown(const TextTable::Cell& cell, bool colour) { return coloured(cell.text, cell.colour, colour); }

/// Prints why ratios are missing, each reason once.
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
  out << coloured(title, Colour::bold, colour) << '\n';
  out << "  all on " << median_text(ablation.all_on, ablation.unit) << ", all off "
      << median_text(ablation.all_off, ablation.unit) << ": " << shown(cell(ablation.everything), colour) << "\n\n";

  TextTable table({{"control"}, {"alone off (to all on)"}, {"alone on (to what it needs)"}});
  for (const ControlEffect& one : ablation.controls)
    table.add_row({one.control, cell(one.alone_off), cell(one.alone_on)});
  const TextTable::Style style{.indent = 2, .colour = colour, .heading = true};
  if (table.width(style) <= width) {
    table.print(out, style);
  } else {
    out << "  control: off, and on\n";
    for (const ControlEffect& one : ablation.controls)
      out << "  " << one.control << "\n    off  " << shown(cell(one.alone_off), colour) << "\n    on   "
          << shown(cell(one.alone_on), colour) << '\n';
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
