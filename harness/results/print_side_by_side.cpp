#include <array>
#include <cstdio>
#include <ostream>

#include "harness/claims/text_columns.hpp"
#include "harness/results/side_by_side.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;
using Row = std::vector<std::string>;

std::string short_number(const json& value) {
  if (!value.is_number()) return "-";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value.get<double>());
  return text.data();
}

std::string with_interval(const json& number, const json& cell, const std::string& after) {
  if (!number.is_number()) return "-";
  std::string text = short_number(number) + after;
  if (cell.at("low").is_number())
    text += " [" + short_number(cell.at("low")) + ", " + short_number(cell.at("high")) + "]";
  return text;
}

void print_table(std::ostream& out, const std::vector<Row>& rows, bool markdown) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], shown_width(row[i]));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    out << (markdown ? "| " : "  ");
    for (std::size_t i = 0; i < rows[r].size(); ++i)
      out << (markdown || i + 1 < rows[r].size() ? padded(rows[r][i], widths[i]) : rows[r][i])
          << (markdown                 ? " | "
              : i + 1 < rows[r].size() ? "  "
                                       : "");
    out << "\n";
    if (markdown && r == 0) {
      out << "|";
      for (std::size_t i = 0; i < widths.size(); ++i) out << "---|";
      out << "\n";
    }
  }
}

template <class Name, class Cell>
void section(std::ostream& out, const std::string& title, const json& sides, const char* part, bool markdown, Name name,
             Cell cell) {
  if (sides.at(part).empty()) return;
  out << (markdown ? "\n### " : "\n") << title << (markdown ? "\n\n" : "\n");
  std::vector<Row> rows{{""}};
  for (std::size_t i = 0; i < sides.at("runs").size(); ++i) rows[0].push_back("run " + std::to_string(i + 1));
  for (const json& row : sides.at(part)) {
    Row line{name(row)};
    for (const json& one : row.at("cells")) line.push_back(one.is_null() ? "-" : cell(one));
    rows.push_back(line);
  }
  print_table(out, rows, markdown);
}

std::string text_or(const json& value, const std::string& otherwise) {
  return value.is_string() ? value.get<std::string>() : otherwise;
}

}  // namespace

void print_side_by_side(const json& sides, std::ostream& out, bool markdown) {
  std::vector<Row> runs{{"", "machine", "CPU", "cores", "profile", "commit", "run"}};
  for (const json& run : sides.at("runs"))
    runs.push_back({"run " + std::to_string(runs.size()), run.at("machine"), text_or(run.at("cpu"), "unknown"),
                    run.at("cores").dump(), run.at("profile"), run.at("commit").get<std::string>().substr(0, 12),
                    run.at("id").get<std::string>() + (run.at("fit").get<bool>() ? "" : " (machine not fit)")});
  print_table(out, runs, markdown);
  section(
      out, "Claims: does the advice hold, does the figure reproduce", sides, "claims", markdown,
      [](const json& row) {
        return row.at("id").get<std::string>() + " (" + row.at("program").get<std::string>() + ")";
      },
      [](const json& cell) {
        return cell.at("advice").get<std::string>() + ", " + cell.at("figure").get<std::string>();
      });
  section(
      out, "Ratios, formed inside each run", sides, "ratios", markdown,
      [](const json& row) { return row.at("id").get<std::string>() + " " + row.at("metric").get<std::string>(); },
      [](const json& cell) { return with_interval(cell.at("estimate"), cell, "x"); });
  const bool marked = sides.at("values_marked");
  section(
      out, marked ? "Values (!: of different machines, not comparable)" : "Values", sides, "values", markdown,
      [](const json& row) {
        return row.at("configuration").get<std::string>() + " " + row.at("metric").get<std::string>() + " (" +
               row.at("program").get<std::string>() +
               (row.at("unit") == "" ? "" : ", " + row.at("unit").get<std::string>()) + ")";
      },
      [marked](const json& cell) { return with_interval(cell.at("median"), cell, marked ? " !" : ""); });
  if (const std::string why = sides.at("why_no_values"); !why.empty()) out << "\n" << why << "\n";
}

}  // namespace assay::harness
