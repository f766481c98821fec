#include "harness/cases/parse_case.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>

#include "harness/cases/catalogue.hpp"
#include "harness/cases/meaning.hpp"
#include "harness/cases/named.hpp"
#include "harness/cases/nearest.hpp"
#include "harness/cases/strict_options.hpp"
#include "harness/cases/whole_number.hpp"

namespace assay::harness {
namespace {

std::pair<std::string, std::string> split(const std::string& option, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(option + ": expected NAME=VALUE, found '" + text + "'");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// From 1 to what an int holds, which is more than any protocol's rows, epochs or ports.
int whole(const std::string& option, const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 1)
    throw UsageError(option + ": expected a whole number from 1 to " + std::to_string(std::numeric_limits<int>::max()) +
                     ", found '" + text + "'");
  return number;
}

void add_what_values_stand_for(Parameters& result, const CaseOffer& one) {
  for (const auto& control : meaning_of({one.name, result.values}, one.parameters).stood_off)
    if (std::find(result.off.begin(), result.off.end(), control) == result.off.end()) result.off.push_back(control);
}

/// The lengths that some profile sets for the case's scenario: no other reaches a case.
void check_length(const Catalogue& known, const std::string& scenario, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& profile : known.profiles)
    for (const auto& [key, value] : lengths_of(profile, scenario))
      if (std::find(names.begin(), names.end(), key) == names.end()) names.push_back(key);
  if (names.empty()) throw UsageError("--length " + name + ": the scenario " + scenario + " has no lengths");
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw UsageError("--length: " + unknown_name("length of " + scenario, name, names));
}

void fill_lengths(Parameters& result, const Catalogue& known, const std::string& scenario) {
  if (known.profiles.empty()) return;
  const Profile* const standard = known.profile("standard");
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
  make_options_strict(app);
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
    result.services[name] = whole("--service " + name, port);
  }
  const std::string& scenario = known.scenario_of(result.case_name)->name;
  for (const auto& text : lengths) {
    const auto [key, number] = split("--length", text);
    check_length(known, scenario, key);
    result.lengths[key] = whole("--length " + key, number);
  }
  fill_lengths(result, known, scenario);
  result.budget = std::chrono::milliseconds(budget_ms);
  return result;
}

}  // namespace assay::harness
