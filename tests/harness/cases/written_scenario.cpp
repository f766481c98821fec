// The example of docs/writing_a_scenario.md, as it stands there: tests/cli/test_documents.py holds the two together.
#include <cmath>
#include <numeric>

#include "harness/cases/catalogue.hpp"
#include "tests/catch.hpp"
#include "tests/harness/cases/parse_case.hpp"

using namespace assay::harness;

namespace {

std::vector<double> make_rows(std::int64_t count, const std::string& order) {
  std::vector<double> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), 1);
  return order == "forward" ? rows : std::vector<double>(rows.rbegin(), rows.rend());
}
double sum(const std::vector<double>& rows) { return std::accumulate(rows.begin(), rows.end(), 0.0); }
double closed_form(const std::vector<double>& rows) {
  const auto count = static_cast<double>(rows.size());
  return count * (count + 1) / 2;
}
double relative_error(double a, double b) { return std::abs(a - b) / b; }
double consumed = 0;
void consume(double value) { consumed += value; }

// clang-format off
Scenario written_scenario() {
Scenario scenario("example", "Does the order of two rows matter?");
scenario.timed("sum", [](const Parameters& parameters, Reporter& report) {
  const auto rows = make_rows(parameters.length("rows"), parameters.text("order"));  // "example.rows" in the profiles
  report.check("sum equals the closed form", relative_error(sum(rows), closed_form(rows)), 1e-6);  // no speed without correctness
  report.time("sum_time", {}, [&] { consume(sum(rows)); });
}).parameter("order", {"forward", "backward"}).metric("sum_time", "ns", "lower");
scenario.group("sum", {"sum", "sum{order=backward}"});
scenario.compare({.id = "order", .metric = "sum_time", .baseline = "sum", .candidate = "sum{order=backward}"});
scenario.budget("quick", 10);
return scenario;
}
// clang-format on

}  // namespace

TEST_CASE("the scenario of the document on writing one runs as it is written") {
  Program program;
  program.profiles = {{"quick", 6, 3, 6, {{"example.rows", 100}}}};
  program.scenarios.push_back(written_scenario());
  CHECK(catalogue_of(program).scenario("example")->comparisons.at(0).candidate == "example.sum{order=backward}");
  CHECK(run_case(program, toy::parse_case(program, {"example.sum", "--repetitions", "1"})) == 0);
  CHECK(run_case(program, toy::parse_case(program, {"example.sum", "--set", "order=backward", "--repetitions", "1"})) ==
        0);
  CHECK(consumed > 0);
}
