#include <optional>
#include <ostream>

#include "harness/results/side_by_side.hpp"
#include "harness/text/format_number.hpp"
#include "harness/text/table.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

std::optional<double> number(const json& value) {
  return value.is_number() ? std::optional<double>(value) : std::nullopt;
}

void print_table(std::ostream& out, const TextTable& table, bool markdown) {
  if (markdown)
    table.print_markdown(out);
  else
    table.print(out);
}

template <class Name, class Cell>
void section(std::ostream& out, const std::string& title, const json& sides, const char* part, bool markdown, Name name,
             Cell cell) {
  if (sides.at(part).empty()) return;
  out << (markdown ? "\n### " : "\n") << title << (markdown ? "\n\n" : "\n");
  std::vector<TextTable::Column> columns{{}};
  for (std::size_t i = 0; i < sides.at("runs").size(); ++i) columns.push_back({"run " + std::to_string(i + 1)});
  TextTable table(std::move(columns));
  for (const json& row : sides.at(part)) {
    std::vector<TextTable::Cell> cells{name(row)};
    for (const json& one : row.at("cells")) cells.emplace_back(one.is_null() ? "-" : cell(row, one));
    table.add_row(std::move(cells));
  }
  print_table(out, table, markdown);
}

std::string text_or(const json& value, const std::string& otherwise) {
  return value.is_string() ? value.get<std::string>() : otherwise;
}

}  // namespace

void print_side_by_side(const json& sides, std::ostream& out, bool markdown) {
  TextTable runs({{""}, {"machine"}, {"CPU"}, {"cores"}, {"profile"}, {"commit"}, {"run"}});
  int place = 0;
  for (const json& run : sides.at("runs"))
    runs.add_row({"run " + std::to_string(++place), run.at("machine").get<std::string>(),
                  text_or(run.at("cpu"), "unknown"), run.at("cores").dump(), run.at("profile").get<std::string>(),
                  run.at("commit").get<std::string>().substr(0, 12),
                  run.at("id").get<std::string>() + (run.at("fit").get<bool>() ? "" : " (machine not fit)")});
  print_table(out, runs, markdown);
  section(
      out, "Claims: does the advice hold, does the figure reproduce", sides, "claims", markdown,
      [](const json& row) {
        const std::string format = row.at("format");
        return row.at("id").get<std::string>() + " (" + row.at("program").get<std::string>() +
               (format.empty() ? "" : ", " + format) + ")";
      },
      [](const json&, const json& cell) {
        return cell.at("advice").get<std::string>() + ", " + cell.at("figure").get<std::string>();
      });
  section(
      out, "Ratios, formed inside each run", sides, "ratios", markdown,
      [](const json& row) { return row.at("id").get<std::string>() + " " + row.at("metric").get<std::string>(); },
      [](const json&, const json& cell) {
        return format_effect(number(cell.at("estimate")), number(cell.at("low")), number(cell.at("high")), "ratio");
      });
  const bool marked = sides.at("values_marked");
  section(
      out, marked ? "Values (!: of different machines, not comparable)" : "Values", sides, "values", markdown,
      [](const json& row) {
        return row.at("configuration").get<std::string>() + " " + row.at("metric").get<std::string>() + " (" +
               row.at("program").get<std::string>() + ")";
      },
      [marked](const json& row, const json& cell) {
        return format_interval(number(cell.at("median")), number(cell.at("low")), number(cell.at("high")),
                               row.at("unit"), row.at("metric")) +
               (marked ? " !" : "");
      });
  if (const std::string why = sides.at("why_no_values"); !why.empty()) out << "\n" << why << "\n";
}

}  // namespace assay::harness
