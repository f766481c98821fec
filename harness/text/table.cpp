#include "harness/text/table.hpp"

#include <algorithm>
#include <numeric>
#include <ostream>
#include <stdexcept>

#include "harness/text/columns.hpp"

namespace assay::harness {
namespace {

constexpr std::size_t gap = 2;  // characters between columns

std::vector<TextTable::Cell> titles(const std::vector<TextTable::Column>& columns) {
  std::vector<TextTable::Cell> cells;
  for (const auto& column : columns) cells.push_back({column.title, Colour::bold});
  return cells;
}

/// The lines of a cell. What fits keeps its spaces.
std::vector<std::string> fitted(const std::string& text, std::size_t width) {
  return shown_width(text) <= width ? std::vector{text} : wrapped(text, width);
}

std::string markdown(std::string text) {
  for (auto at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

std::string aligned(const std::string& text, std::size_t width, TextTable::Align align) {
  const std::string space(width - std::min(width, shown_width(text)), ' ');
  return align == TextTable::Align::right ? space + text : text + space;
}

}  // namespace

void TextTable::add_row(std::vector<Cell> cells) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row with another number of cells than the table");
  rows_.push_back({std::move(cells), ""});
}

void TextTable::add_line(std::string text) { rows_.push_back({{}, std::move(text)}); }

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  const auto widen = [&](const std::vector<Cell>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      widths[i] = std::min(columns_[i].max_width, std::max(widths[i], shown_width(cells[i].text)));
  };
  widen(titles(columns_));
  for (const Row& row : rows_) widen(row.cells);
  return widths;
}

std::size_t TextTable::width(const Style& style) const {
  const auto each = widths();
  return style.indent + std::accumulate(each.begin(), each.end(), gap * (each.size() - 1));
}

void TextTable::print_row(const std::vector<Cell>& cells, const std::vector<std::size_t>& widths, std::ostream& out,
                          const Style& style) const {
  std::vector<std::vector<std::string>> lines;
  std::size_t height = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    lines.push_back(fitted(cells[i].text, widths[i]));
    height = std::max(height, lines.back().size());
  }
  for (std::size_t line = 0; line < height; ++line) {
    std::string text(style.indent, ' '), pending;  // spaces are written only before something that follows
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string shown = line < lines[i].size() ? lines[i][line] : "";
      const std::string filled = aligned(shown, widths[i], columns_[i].align);
      const std::size_t first = filled.find_first_not_of(' '), last = filled.find_last_not_of(' ');
      if (first == std::string::npos) {
        pending += filled;
      } else {
        text += pending + filled.substr(0, first) +
                coloured(filled.substr(first, last + 1 - first), cells[i].colour, style.colour);
        pending = filled.substr(last + 1);
      }
      pending += std::string(gap, ' ');
    }
    out << text << '\n';
  }
}

void TextTable::print(std::ostream& out, const Style& style) const {
  const auto each = widths();
  if (style.heading) print_row(titles(columns_), each, out, style);
  for (const Row& row : rows_) {
    if (row.cells.empty())
      out << row.line << '\n';
    else
      print_row(row.cells, each, out, style);
  }
}

void TextTable::print_markdown(std::ostream& out) const {
  const auto row = [&](const auto& cells, const auto& text) {
    out << '|';
    for (const auto& cell : cells) out << ' ' << text(cell) << " |";
    out << '\n';
  };
  row(columns_, [](const Column& column) { return markdown(column.title); });
  row(columns_, [](const Column& column) { return std::string(column.align == Align::right ? "---:" : "---"); });
  for (const Row& one : rows_)
    if (!one.cells.empty()) row(one.cells, [](const Cell& cell) { return markdown(cell.text); });
}

}  // namespace assay::harness
