#include "harness/claims/verdict_lines.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <ostream>

#include "harness/text/columns.hpp"

namespace assay::harness {

namespace {

using Line = std::array<std::string, 4>;  // program, measured, advice, figure

/// "assay", or "assay, float16".
std::string who(const VerdictRow& row) { return row.program + (row.format.empty() ? "" : ", " + row.format); }

Line line_of(const VerdictRow& row) { return {who(row), measured_text(row), row.advice, row.figure}; }

std::array<std::size_t, 4> widths_of(const std::vector<VerdictRow>& rows, const Line& heading) {
  std::array<std::size_t, 4> widths{};
  for (std::size_t i = 0; i < 4; ++i) widths[i] = shown_width(heading[i]);
  for (const VerdictRow& row : rows)
    for (std::size_t i = 0; i < 4; ++i) widths[i] = std::max(widths[i], shown_width(line_of(row)[i]));
  return widths;
}

void print_line(const Line& line, const std::array<std::size_t, 4>& widths, std::ostream& out, bool colour) {
  out << "  " << padded(line[0], widths[0]) << "  " << padded(line[1], widths[1]) << "  "
      << coloured(padded(line[2], widths[2]), line[2], colour) << "  " << coloured(line[3], line[3], colour) << '\n';
}

/// Equal reasons of one claim once, with the programs that have them where not all do.
void print_reasons(const std::vector<VerdictRow>& rows, std::size_t width, std::ostream& out) {
  std::map<std::string, std::string> programs;
  std::map<std::string, std::size_t> counted;
  for (const VerdictRow& row : rows) {
    if (!needs_reason(row)) continue;
    programs[row.reason] += (programs[row.reason].empty() ? "" : "; ") + who(row);
    ++counted[row.reason];
  }
  for (const auto& [reason, names] : programs) {
    const std::string text = counted[reason] == rows.size() ? reason : names + ": " + reason;
    for (const std::string& line : wrapped(text, width - 4)) out << "    " << line << '\n';
  }
}

}  // namespace

std::string coloured(const std::string& text, const std::string& verdict, bool colour) {
  static const std::map<std::string, std::string> table{{"holds", "32"},     {"reproduced", "32"},
                                                        {"fails", "31"},     {"opposite", "31"},
                                                        {"undecided", "33"}, {"same direction", "36"}};
  const auto found = table.find(verdict);
  return colour && found != table.end() ? "\x1b[" + found->second + "m" + text + "\x1b[0m" : text;
}

std::string strong(const std::string& text, bool colour) { return colour ? "\x1b[1m" + text + "\x1b[0m" : text; }

bool needs_reason(const VerdictRow& row) { return !row.reason.empty() && row.reason != "the source gives no figure"; }

bool print_by_claim(const std::vector<VerdictRow>& rows, std::size_t width, std::ostream& out, bool colour) {
  const Line heading{"program", "measured here", "advice here", "figure"};
  const auto widths = widths_of(rows, heading);
  if (2 + widths[0] + widths[1] + widths[2] + widths[3] + 6 > width) return false;
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if(first, rows.end(), [&](const VerdictRow& row) { return row.id != first->id; });
    const std::string title = first->id + ": " + first->advice_text + " (published: " + first->published + ")";
    for (const std::string& line : wrapped(title, width)) out << strong(line, colour) << '\n';
    if (first == rows.begin()) print_line(heading, widths, out, false);
    for (auto row = first; row != last; ++row) print_line(line_of(*row), widths, out, colour);
    print_reasons({first, last}, width, out);
    first = last;
  }
  return true;
}

}  // namespace assay::harness
