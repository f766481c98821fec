#pragma once
#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "harness/text/colour.hpp"

namespace assay::harness {

/// A table for a terminal or a Markdown page. Columns are as wide as their cells need, up to a limit; longer cells are
/// wrapped.
///
///   TextTable table({{"pass"}, {"changes", Align::right}});
///   table.add_row({"engine.dce", "3"});
///   table.print(std::cout);
class TextTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title{};
    Align align = Align::left;
    std::size_t max_width = 1000;
  };
  struct Cell {
    Cell(std::string shown, Colour its_colour = Colour::none) : text(std::move(shown)), colour(its_colour) {}
    Cell(const char* shown) : text(shown) {}
    std::string text;
    Colour colour = Colour::none;
  };
  struct Style {
    std::size_t indent = 2;
    bool colour = false;
    bool heading = true;  // where the titles are shown
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add_row(std::vector<Cell> cells);
  /// A line of its own below the last row, over all columns; Markdown leaves it out.
  void add_line(std::string text);

  /// Characters of the widest row.
  std::size_t width(const Style& style) const;
  void print(std::ostream& out, const Style& style) const;
  void print(std::ostream& out) const { print(out, Style{}); }
  void print_markdown(std::ostream& out) const;

 private:
  struct Row {
    std::vector<Cell> cells;
    std::string line;  // in place of cells
  };
  std::vector<std::size_t> widths() const;
  void print_row(const std::vector<Cell>& cells, const std::vector<std::size_t>& widths, std::ostream& out,
                 const Style& style) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace assay::harness
