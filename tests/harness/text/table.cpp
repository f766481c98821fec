#include "harness/text/table.hpp"

#include <sstream>

#include "tests/catch.hpp"

using namespace assay::harness;
using Align = TextTable::Align;

namespace {

TextTable passes() {
  TextTable table({{"pass"}, {"changes", Align::right}, {"why", Align::left, 8}});
  table.add_row({"dce", "3", {"dead code", Colour::red}});
  table.add_line("    a remark");
  table.add_row({"prepack…", "12,345", ""});
  return table;
}

std::string printed(const TextTable& table, const TextTable::Style& style = {}) {
  std::ostringstream out;
  table.print(out, style);
  return out.str();
}

}  // namespace

TEST_CASE("columns are as wide as their cells, numbers stand on the right, long cells are wrapped") {
  CHECK(printed(passes()) ==
        "  pass      changes  why\n"
        "  dce             3  dead\n"
        "                     code\n"
        "    a remark\n"
        "  prepack…   12,345\n");
  CHECK(passes().width({}) == 2 + 8 + 2 + 7 + 2 + 8);
}

TEST_CASE("colours enclose the words alone") {
  const std::string text = printed(passes(), {.indent = 0, .colour = true, .heading = false});
  CHECK(text.substr(0, text.find('\n')) == "dce             3  \x1b[31mdead\x1b[0m");
}

TEST_CASE("a table as Markdown") {
  std::ostringstream out;
  passes().print_markdown(out);
  CHECK(out.str() ==
        "| pass | changes | why |\n"
        "| --- | ---: | --- |\n"
        "| dce | 3 | dead code |\n"
        "| prepack… | 12,345 |  |\n");
}

TEST_CASE("a row that does not fit its table is a mistake of the caller") {
  TextTable table({{"one"}});
  CHECK_THROWS_AS(table.add_row({"1", "2"}), std::logic_error);
}
