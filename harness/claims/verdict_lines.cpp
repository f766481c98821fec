#include "harness/claims/verdict_lines.hpp"

#include <algorithm>
#include <map>
#include <ostream>

#include "harness/text/columns.hpp"
#include "harness/text/table.hpp"

namespace assay::harness {

namespace {

/// "assay", or "assay, float16".
std::string who(const VerdictRow& row) { return row.program + (row.format.empty() ? "" : ", " + row.format); }

/// Adds each reason of one claim once, with the programs that have it where not all do.
void add_reasons(TextTable& table, const std::vector<VerdictRow>& rows, std::size_t width) {
  std::map<std::string, std::string> programs;
  std::map<std::string, std::size_t> counted;
  for (const VerdictRow& row : rows) {
    if (!needs_reason(row)) continue;
    programs[row.reason] += (programs[row.reason].empty() ? "" : "; ") + who(row);
    ++counted[row.reason];
  }
  for (const auto& [reason, names] : programs) {
    const std::string text = counted[reason] == rows.size() ? reason : names + ": " + reason;
    for (const std::string& line : wrapped(text, width - 4)) table.add_line("    " + line);
  }
}

}  // namespace

Colour colour_of(const std::string& verdict) {
  static const std::map<std::string, Colour> table{{"holds", Colour::green},      {"reproduced", Colour::green},
                                                   {"fails", Colour::red},        {"opposite", Colour::red},
                                                   {"undecided", Colour::yellow}, {"same direction", Colour::cyan}};
  const auto found = table.find(verdict);
  return found == table.end() ? Colour::none : found->second;
}

bool needs_reason(const VerdictRow& row) { return !row.reason.empty() && row.reason != "the source gives no figure"; }

bool print_by_claim(const std::vector<VerdictRow>& rows, std::size_t width, std::ostream& out, bool colour) {
  TextTable table({{}, {}, {}, {}});
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if(first, rows.end(), [&](const VerdictRow& row) { return row.id != first->id; });
    const std::string title = first->id + ": " + first->advice_text + " (published: " + first->published + ")";
    for (const std::string& line : wrapped(title, width)) table.add_line(coloured(line, Colour::bold, colour));
    if (first == rows.begin()) table.add_row({"program", "measured here", "advice here", "figure"});
    for (auto row = first; row != last; ++row)
      table.add_row({who(*row),
                     measured_text(*row),
                     {row->advice, colour_of(row->advice)},
                     {row->figure, colour_of(row->figure)}});
    add_reasons(table, {first, last}, width);
    first = last;
  }
  const TextTable::Style style{.indent = 2, .colour = colour, .heading = false};
  if (table.width(style) > width) return false;
  table.print(out, style);
  return true;
}

}  // namespace assay::harness
