#include "harness/claims/verdict_table.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "harness/claims/verdict_lines.hpp"
#include "harness/text/columns.hpp"

namespace assay::harness {

namespace {

constexpr std::size_t kNarrow = 96;  // below it columns would be slivers

using Cells = std::vector<std::string>;

std::string without_end_spaces(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// One row of cells, wrapped to their columns. Only the last two cells, the verdicts, may be coloured.
void print_cells(const Cells& cells, const std::vector<std::size_t>& widths, std::ostream& out, bool colour,
                 bool heading) {
  std::vector<std::vector<std::string>> columns;
  std::size_t height = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    columns.push_back(wrapped(cells[i], widths[i]));
    height = std::max(height, columns.back().size());
  }
  for (std::size_t line = 0; line < height; ++line) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool here = line < columns[i].size();
      const std::string shown = here ? columns[i][line] : "";
      const std::string filled = i + 1 == cells.size() ? shown : padded(shown, widths[i] + 2);
      const bool verdict = !heading && i + 2 >= cells.size();
      text += verdict ? coloured(filled, cells[i], colour) : filled;
    }
    out << (heading ? strong(without_end_spaces(text), colour) : without_end_spaces(text)) << '\n';
  }
}

Cells cells_of(const VerdictRow& row, bool several = false) {
  const std::string id = row.id + (row.format.empty() ? "" : " (" + row.format + ")");
  return {several ? row.program + ":" + id : id,
          row.advice_text,
          row.published,
          measured_text(row),
          row.advice,
          row.figure};
}

/// Ids, measured numbers and verdicts keep their width; what is left goes to the two texts.
std::vector<std::size_t> column_widths(const std::vector<Cells>& table, std::size_t width) {
  std::vector<std::size_t> widths(6, 0);
  for (const Cells& cells : table)
    for (const std::size_t i : {0, 3, 4, 5}) widths[i] = std::max(widths[i], shown_width(cells[i]));
  const std::vector<std::size_t> most{width < 120 ? 27u : 31u, 0,  0,
                                      width < 120 ? 13u : 24u, 12, width < 120 ? 10u : 14u};
  for (const std::size_t i : {0, 3, 4, 5}) widths[i] = std::min(widths[i], most[i]);
  const std::size_t fixed = widths[0] + widths[3] + widths[4] + widths[5] + 10;
  const std::size_t left = width - fixed;  // at least kNarrow - 72
  widths[1] = left / 2;
  widths[2] = left - widths[1];
  return widths;
}

void print_reason(const VerdictRow& row, std::size_t width, std::ostream& out) {
  if (!needs_reason(row)) return;
  for (const std::string& line : wrapped(row.reason, width - 4)) out << "    " << line << '\n';
}

void print_blocks(const std::vector<VerdictRow>& rows, bool several, std::size_t width, std::ostream& out,
                  bool colour) {
  for (const VerdictRow& row : rows) {
    for (const std::string& line : wrapped(cells_of(row, several)[0], width)) out << strong(line, colour) << '\n';
    for (const auto& [name, text] : {std::pair<std::string, std::string>{"advice", row.advice_text},
                                     {"published", row.published},
                                     {"measured", measured_text(row)}}) {
      const auto lines = wrapped(text, width > 16 ? width - 13 : 8);
      for (std::size_t i = 0; i < lines.size(); ++i) out << "  " << padded(i == 0 ? name : "", 11) << lines[i] << '\n';
    }
    out << "  " << padded("here", 11) << coloured(row.advice, row.advice, colour) << '\n';
    out << "  " << padded("figure", 11) << coloured(row.figure, row.figure, colour) << '\n';
    print_reason(row, std::max<std::size_t>(width, 24), out);
  }
}

void print_untested(const std::vector<VerdictRow>& rows, std::size_t width, std::ostream& out) {
  std::map<std::string, std::set<std::string>> claims;  // by reason
  for (const VerdictRow& row : rows) claims[row.reason].insert(row.id);
  for (const auto& [reason, ids] : claims) {
    const std::string text = std::to_string(ids.size()) + (ids.size() == 1 ? " more claim is" : " more claims are") +
                             " not tested yet: " + reason + ".";
    for (const std::string& line : wrapped(text, width)) out << line << '\n';
  }
}

}  // namespace

void print_verdicts(const nlohmann::json& document, std::ostream& out, bool colour, int columns) {
  const std::size_t width = static_cast<std::size_t>(std::clamp(columns, 32, 160));
  std::vector<VerdictRow> tested, untested;
  for (VerdictRow& row : verdict_rows(document))
    (row.advice == "not tested yet" ? untested : tested).push_back(std::move(row));
  const auto above = headlines(document);
  for (const std::string& text : above)
    for (const std::string& line : wrapped(text, width)) out << line << '\n';
  if (!above.empty()) out << '\n';
  if (tested.empty()) return;  // no claim is concerned: nothing is said of any
  const bool several = document.at("programs").size() > 1;
  if (several && print_by_claim(tested, width, out, colour)) {
    // one line a program
  } else if (several || width < kNarrow) {
    print_blocks(tested, several, width, out, colour);
  } else {
    std::vector<Cells> table{{"claim", "advice", "published", "measured here", "advice here", "figure"}};
    for (const VerdictRow& row : tested) table.push_back(cells_of(row));
    const auto widths = column_widths(table, width);
    for (std::size_t i = 0; i < table.size(); ++i) {
      print_cells(table[i], widths, out, colour, i == 0);
      if (i > 0) print_reason(tested[i - 1], width, out);
    }
  }
  if (!untested.empty()) out << '\n';
  print_untested(untested, width, out);
}

}  // namespace assay::harness
