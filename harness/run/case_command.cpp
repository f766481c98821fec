#include "harness/run/case_command.hpp"

#include <set>

#include "harness/cases/case_id.hpp"
#include "harness/cases/resolved_configuration.hpp"

namespace assay::harness {
namespace {

/// The controls that the command line switches off, as far as the program knows them.
std::set<std::string> asked_off(const Catalogue& catalogue, const ResolvedConfiguration& meaning,
                                const std::vector<std::string>& user) {
  const std::set<std::string> names(user.begin(), user.end());
  std::set<std::string> result;
  for (const auto& control : catalogue.controls)
    if (names.contains(control.name) || names.contains("all") || meaning.own_switches_off(control.name))
      result.insert(control.name);
  return result;
}

using Environment = std::map<std::string, std::string>;

void set_all(Environment& environment, const Environment& additions) {
  for (const auto& [name, value] : additions) environment[name] = value;
}

/// What controls, the case and the configuration's values set; the later win.
Environment environment_of(const Catalogue& catalogue, const CaseInfo& one, const ResolvedConfiguration& meaning,
                           std::set<std::string> off) {
  off.insert(meaning.stood_off.begin(), meaning.stood_off.end());
  Environment result;
  for (const auto& control : catalogue.controls)
    set_all(result, off.contains(control.name) ? control.environment_off : control.environment_on);
  set_all(result, one.env);
  set_all(result, meaning.environment);
  return result;
}

}  // namespace

ProcessSpec case_command(const ProgramCatalogue& offer, const std::string& configuration, const CaseSettings& settings,
                         const CaseInputs& inputs) {
  const CaseId id = parse_case_id(configuration);
  const CaseInfo& one = *offer.catalogue.find(id.case_name);
  const ResolvedConfiguration meaning = resolve_configuration(id, one.parameters);
  const auto off = asked_off(offer.catalogue, meaning, settings.off);

  ProcessSpec spawn;
  spawn.command = one.launch;
  const auto add = [&](const std::string& option, const std::string& value) {
    spawn.command.push_back(option);
    spawn.command.push_back(value);
  };
  spawn.command.push_back(offer.path.string());
  add("case", one.name);
  for (const auto& [key, value] : id.values)
    if (!is_control_key(key)) add("--set", key + "=" + value);
  std::string joined;
  for (const auto& name : off) joined += (joined.empty() ? "" : ",") + name;
  if (!joined.empty()) add("--off", joined);
  for (const auto& [name, path] : inputs.artifacts) add("--artifact", name + "=" + path.string());
  for (const auto& [name, port] : inputs.services) add("--service", name + "=" + std::to_string(port));
  add("--seed", std::to_string(inputs.seed));
  add("--threads", std::to_string(settings.threads));
  add("--repetitions", std::to_string(settings.profile.repetitions));
  for (const auto& [key, value] : lengths_of(settings.profile, id.case_name.substr(0, id.case_name.find('.'))))
    add("--length", key + "=" + std::to_string(value));
  if (!settings.data.empty()) add("--data", settings.data.string());
  add("--out", inputs.out.string());
  spawn.environment = environment_of(offer.catalogue, one, meaning, off);
  spawn.cpus = settings.cpus;
  return spawn;
}

double limit_s(const ProgramCatalogue& offer, const std::string& configuration, const std::string& profile) {
  const std::string name = parse_case_id(configuration).case_name;
  if (const auto own = offer.catalogue.find(name)->limit_s) return *own;
  const auto& budgets = offer.catalogue.scenario_of(name)->budget_s;
  const auto budget = budgets.find(profile);
  return 60 + (budget == budgets.end() ? 0 : budget->second);
}

}  // namespace assay::harness
