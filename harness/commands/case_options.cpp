#include "harness/commands/case_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>

#include "harness/cases/catalogue.hpp"
#include "harness/cases/lookup.hpp"
#include "harness/cases/resolved_configuration.hpp"
#include "harness/commands/whole_number.hpp"
#include "harness/text/spelling_suggestion.hpp"

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

void add_what_values_stand_for(Parameters& result, const CaseInfo& one) {
  for (const auto& control : resolve_configuration({one.name, result.values}, one.parameters).stood_off)
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

void add_case_options(CLI::App& command, CaseArguments& arguments) {
  Parameters& given = arguments.given;
  command.add_option("NAME", given.case_name, "the case, scenario.case")->required();
  command.add_option("--set", arguments.set, "a parameter of the case")->type_name("KEY=VALUE");
  command.add_option("--off", given.off, "controls to switch off, or all")->delimiter(',')->type_name("CONTROL,...");
  command.add_option("--artifact", arguments.artifacts, "a file that the case needs")->type_name("NAME=PATH");
  command.add_option("--service", arguments.services, "the port of a service that the case needs")
      ->type_name("NAME=PORT");
  command.add_option("--length", arguments.lengths, "rows, epochs and the like; the profile standard's when left out")
      ->type_name("KEY=NUMBER");
  command.add_option("--seed", given.seed, "of weights, shuffles and drawn data")->check(whole_number(0));
  command.add_option("--threads", given.threads, "threads that the case may use")->check(whole_number(1));
  command.add_option("--repetitions", given.repetitions, "samples of each time")->check(whole_number(1));
  command.add_option("--data", given.data, "folder of the data; the embedded data when left out");
  command.add_option("--out", given.out, "folder for the files that the case makes");
}

Parameters complete_case(const Program& program, const CaseArguments& arguments) {
  const Catalogue known = catalogue_of(program);
  Parameters result = arguments.given;
  if (result.data.empty()) result.data = program.default_data;
  const CaseInfo& one = find_case(known, result.case_name);
  for (const auto& parameter : one.parameters) result.values[parameter.name] = parameter.default_value;
  for (const auto& text : arguments.set) {
    const auto [key, value] = split("--set", text);
    require_parameter(one, key, value);
    result.values[key] = value;
  }
  if (result.off == std::vector<std::string>{"all"}) result.off = names_of(known.controls);
  add_what_values_stand_for(result, one);
  for (const auto& control : result.off) require_control(known, control);
  for (const auto& text : arguments.artifacts) {
    const auto [name, path] = split("--artifact", text);
    result.artifacts[name] = path;
  }
  for (const auto& text : arguments.services) {
    const auto [name, port] = split("--service", text);
    result.services[name] = whole("--service " + name, port);
  }
  const std::string& scenario = known.scenario_of(result.case_name)->name;
  for (const auto& text : arguments.lengths) {
    const auto [key, number] = split("--length", text);
    check_length(known, scenario, key);
    result.lengths[key] = whole("--length " + key, number);
  }
  fill_lengths(result, known, scenario);
  return result;
}

}  // namespace assay::harness
