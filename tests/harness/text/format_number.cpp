#include "harness/text/format_number.hpp"

#include <fstream>
#include <limits>

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"

using namespace assay::harness;
using nlohmann::json;

namespace {

/// The table that the report's formatter is tested with, too.
const json& table() {
  static const json read = json::parse(std::ifstream(std::string(ASSAY_SOURCE_DIR) + "/tests/number_texts.json"));
  return read;
}

/// The last entry of a row, as the terminal writes it.
std::string expected(const json& row) {
  std::string text = row.back();
  for (const auto& [sign, plain] : table().at("ascii").items())
    for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign))
      text.replace(at, sign.size(), plain.get<std::string>());
  return text;
}

std::optional<double> number(const json& value) {
  return value.is_null() ? std::nullopt : std::optional<double>(value.get<double>());
}

}  // namespace

TEST_CASE("numbers are shown as in the report") {
  for (const json& row : table().at("number")) CHECK(format_number(row[0], row[1]) == expected(row));
  for (const json& row : table().at("decimals")) CHECK(format_decimals(row[0], row[1]) == expected(row));
  for (const json& row : table().at("percent")) CHECK(format_percent(row[0], row[1]) == expected(row));
}

TEST_CASE("quantities are shown as in the report, in a unit chosen after rounding") {
  for (const json& row : table().at("quantity")) CHECK(format_quantity(row[0], row[1], row[2]) == expected(row));
}

TEST_CASE("intervals and effects are shown as in the report, without rounding noise") {
  for (const json& row : table().at("interval"))
    CHECK(format_interval(number(row[0]), number(row[1]), number(row[2]), row[3], row[4]) == expected(row));
  for (const json& row : table().at("effect"))
    CHECK(format_effect(number(row[0]), number(row[1]), number(row[2]), row[3], row[4], row[5]) == expected(row));
}

TEST_CASE("what is not finite is said in words") {
  CHECK(format_number(std::numeric_limits<double>::quiet_NaN()) == "not finite");
  CHECK(format_quantity(std::numeric_limits<double>::infinity(), "ns") == "not finite s");
}
