#include "harness/cases/parse_case.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "harness/cases/catalogue.hpp"
#include "harness/cases/meaning.hpp"
#include "harness/cases/named.hpp"
#include "harness/cases/whole_number.hpp"

namespace assay::harness {
namespace {

std::pair<std::string, std::string> split(const std::string& option, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(option + ": expected NAME=VALUE, found '" + text + "'");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::int64_t whole(const std::string& option, const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    throw UsageError(option + ": expected a whole number, found '" + text + "'");
  return number;
}

void add_what_values_stand_for(Parameters& result, const CaseOffer& one) {
  for (const auto& control : meaning_of({one.name, result.values}, one.parameters).stood_off)
    if (std::find(result.off.begin(), result.off.end(), control) == result.off.end()) result.off.push_back(control);
}

void fill_lengths(Parameters& result, const Catalogue& known) {
  if (known.profiles.empty()) return;
  const Profile* const standard = known.profile("standard");
  const std::string scenario = known.scenario_of(result.case_name)->name;
  for (const auto& [key, value] : lengths_of(standard ? *standard : known.profiles.front(), scenario))
    result.lengths.emplace(key, value);
}

}  // namespace

Parameters parse_case(const Program& program, const std::vector<std::string>& arguments) {
  const Catalogue known = offered(program);
  Parameters result;
  result.data = program.default_data;
  std::vector<std::string> set_options, artifacts, services, lengths;
  std::int64_t budget_ms = result.budget.count();

  CLI::App app("Runs one case and prints its events", "case");
  app.add_option("NAME", result.case_name, "the case, scenario.case")->required();
  app.add_option("--set", set_options, "parameter, KEY=VALUE");
  app.add_option("--off", result.off, "controls to switch off, NAME,…")->delimiter(',');
  app.add_option("--artifact", artifacts, "what the case needs, NAME=PATH");
  app.add_option("--service", services, "a service that the case needs, NAME=PORT");
  app.add_option("--length", lengths, "rows, epochs, …, KEY=NUMBER");
  app.add_option("--seed", result.seed)->check(whole_number(0));
  app.add_option("--threads", result.threads)->check(whole_number(1));
  app.add_option("--repetitions", result.repetitions)->check(whole_number(1));
  app.add_option("--budget-ms", budget_ms)->check(whole_number(1));
  app.add_option("--data", result.data);
  app.add_option("--out", result.out);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string("case: ") + error.what());
  }

  const CaseOffer& one = case_named(known, result.case_name);
  for (const auto& parameter : one.parameters) result.values[parameter.name] = parameter.default_value;
  for (const auto& text : set_options) {
    const auto [key, value] = split("--set", text);
    check_parameter(one, key, value);
    result.values[key] = value;
  }
  if (result.off == std::vector<std::string>{"all"}) {
    result.off.clear();
    for (const auto& control : known.controls) result.off.push_back(control.name);
  }
  add_what_values_stand_for(result, one);
  for (const auto& control : result.off) check_control(known, control);
  for (const auto& text : artifacts) {
    const auto [name, path] = split("--artifact", text);
    result.artifacts[name] = path;
  }
  for (const auto& text : services) {
    const auto [name, port] = split("--service", text);
    result.services[name] = static_cast<int>(whole("--service " + name, port));
  }
  for (const auto& text : lengths) {
    const auto [key, number] = split("--length", text);
    result.lengths[key] = whole("--length " + key, number);
  }
  fill_lengths(result, known);
  result.budget = std::chrono::milliseconds(budget_ms);
  return result;
}

}  // namespace assay::harness
