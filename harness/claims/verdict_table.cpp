#include "harness/claims/verdict_table.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <set>

#include "harness/claims/verdict_lines.hpp"
#include "harness/text/columns.hpp"
#include "harness/text/table.hpp"

namespace assay::harness {

namespace {

constexpr std::size_t min_table_width = 96;  // below it each claim is a block of lines

using Cells = std::vector<std::string>;

Cells cells_of(const VerdictRow& row, bool several = false) {
  const std::string id = row.id + (row.format.empty() ? "" : " (" + row.format + ")");
  return {several ? row.program + ":" + id : id,
          row.advice_text,
          row.published,
          measured_text(row),
          row.advice,
          row.figure};
}

constexpr std::array<const char*, 6> titles{"claim", "advice", "published", "measured here", "advice here", "figure"};

/// Ids, measured numbers and verdicts keep their width; what is left goes to the two texts.
std::vector<std::size_t> column_widths(const std::vector<Cells>& table, std::size_t width) {
  std::vector<std::size_t> widths;
  for (const char* title : titles) widths.push_back(shown_width(title));
  for (const Cells& cells : table)
    for (const std::size_t i : {0, 3, 4, 5}) widths[i] = std::max(widths[i], shown_width(cells[i]));
  const std::vector<std::size_t> max_widths{width < 120 ? 27u : 31u, 0,  0,
                                            width < 120 ? 13u : 24u, 12, width < 120 ? 10u : 14u};
  for (const std::size_t i : {0, 3, 4, 5}) widths[i] = std::min(widths[i], max_widths[i]);
  const std::size_t fixed = widths[0] + widths[3] + widths[4] + widths[5] + 10;
  const std::size_t left = width - fixed;  // at least min_table_width - 76
  widths[1] = left / 2;
  widths[2] = left - widths[1];
  return widths;
}

/// The lines that give the reason of a row; none where its verdicts need no reason.
std::vector<std::string> reason_lines(const VerdictRow& row, std::size_t width) {
  std::vector<std::string> lines;
  if (!needs_reason(row)) return lines;
  for (const std::string& line : wrapped(row.reason, width - 4)) lines.push_back("    " + line);
  return lines;
}

/// One row a claim, in columns.
void print_columns(const std::vector<VerdictRow>& rows, std::size_t width, std::ostream& out, bool colour) {
  std::vector<Cells> cells;
  for (const VerdictRow& row : rows) cells.push_back(cells_of(row));
  const auto widths = column_widths(cells, width);
  std::vector<TextTable::Column> columns;
  for (std::size_t i = 0; i < titles.size(); ++i) columns.push_back({titles.at(i), TextTable::Align::left, widths[i]});
  TextTable table(std::move(columns));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const VerdictRow& row = rows[i];
    std::vector<TextTable::Cell> line(cells[i].begin(), cells[i].end());
    line[4].colour = colour_of(row.advice);
    line[5].colour = colour_of(row.figure);
    table.add_row(std::move(line));
    for (const std::string& reason : reason_lines(row, width)) table.add_line(reason);
  }
  table.print(out, {.indent = 0, .colour = colour, .heading = true});
}

void print_blocks(const std::vector<VerdictRow>& rows, bool several, std::size_t width, std::ostream& out,
                  bool colour) {
  for (const VerdictRow& row : rows) {
    for (const std::string& line : wrapped(cells_of(row, several)[0], width))
      out << coloured(line, Colour::bold, colour) << '\n';
    for (const auto& [name, text] : {std::pair<std::string, std::string>{"advice", row.advice_text},
                                     {"published", row.published},
                                     {"measured", measured_text(row)}}) {
      const auto lines = wrapped(text, width > 16 ? width - 13 : 8);
      for (std::size_t i = 0; i < lines.size(); ++i) out << "  " << padded(i == 0 ? name : "", 11) << lines[i] << '\n';
    }
    out << "  " << padded("here", 11) << coloured(row.advice, colour_of(row.advice), colour) << '\n';
    out << "  " << padded("figure", 11) << coloured(row.figure, colour_of(row.figure), colour) << '\n';
    for (const std::string& line : reason_lines(row, width)) out << line << '\n';
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
  } else if (several || width < min_table_width) {
    print_blocks(tested, several, width, out, colour);
  } else {
    print_columns(tested, width, out, colour);
  }
  if (!untested.empty()) out << '\n';
  print_untested(untested, width, out);
}

}  // namespace assay::harness
