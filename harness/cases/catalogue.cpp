#include "harness/cases/catalogue.hpp"

#include <algorithm>
#include <array>

namespace assay::harness {
namespace {

using nlohmann::json;

template <class List>
auto named(const List& list, const std::string& name) -> decltype(list.data()) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.name == name; });
  return found == list.end() ? nullptr : &*found;
}

/// Scenarios write `step{…}`; ids are whole everywhere else.
std::string whole(const std::string& scenario, const std::string& name) {
  return name.starts_with(scenario + ".") ? name : scenario + "." + name;
}

CaseInfo offer(const std::string& scenario, const Case& one) {
  return {whole(scenario, one.name), one.kind, one.parameters, one.metrics, one.needed, one.env, one.launch_prefix, {}};
}

ScenarioInfo offer(const Scenario& scenario) {
  ScenarioInfo result{scenario.name,   scenario.question,    scenario.budgets, {},
                      scenario.groups, scenario.comparisons, scenario.gates};
  result.ablations = scenario.ablations;
  for (const auto& one : scenario.cases) result.cases.push_back(offer(scenario.name, *one));
  for (auto& group : result.groups) {
    group.name = whole(scenario.name, group.name);
    for (auto& configuration : group.configurations) configuration = whole(scenario.name, configuration);
  }
  for (auto& comparison : result.comparisons) {
    comparison.id = whole(scenario.name, comparison.id);
    comparison.baseline = whole(scenario.name, comparison.baseline);
    comparison.candidate = whole(scenario.name, comparison.candidate);
  }
  for (auto& ablated : result.ablations) ablated.configuration = whole(scenario.name, ablated.configuration);
  for (auto& gated : result.gates) gated.configuration = whole(scenario.name, gated.configuration);
  return result;
}

json to_json(const ParameterInfo& parameter) {
  json stands_for = json::object();
  for (const auto& [value, what] : parameter.stands_for)
    stands_for[value] = {{"off", what.off}, {"environment", what.environment}};
  return {{"name", parameter.name},
          {"values", parameter.values},
          {"default", parameter.default_value},
          {"stands_for", stands_for}};
}

json to_json(const CaseInfo& one) {
  json parameters = json::array(), metrics = json::array(), needs = json::array();
  for (const auto& parameter : one.parameters) parameters.push_back(to_json(parameter));
  for (const auto& m : one.metrics)
    metrics.push_back({{"name", m.name}, {"unit", m.unit}, {"better", m.better}, {"exact", m.exact}});
  for (const auto& n : one.needs)
    needs.push_back({{"artifact", n.artifact}, {"from", n.from}, {"same_seed", n.same_seed}});
  json result{{"name", one.name},         {"kind", to_string(one.kind)},
              {"parameters", parameters}, {"metrics", metrics},
              {"needs", needs},           {"env", one.env},
              {"launch", one.launch}};
  if (one.limit_s) result["limit_s"] = *one.limit_s;
  return result;
}

json to_json(const ScenarioInfo& scenario) {
  json cases = json::array(), groups = json::array(), comparisons = json::array(), gates = json::array(),
       ablations = json::array();
  for (const auto& one : scenario.cases) cases.push_back(to_json(one));
  for (const auto& g : scenario.groups) groups.push_back({{"name", g.name}, {"configurations", g.configurations}});
  for (const auto& c : scenario.comparisons)
    comparisons.push_back({{"id", c.id},
                           {"metric", c.metric},
                           {"form", c.form},
                           {"margin", c.margin},
                           {"baseline", c.baseline},
                           {"candidate", c.candidate}});
  for (const auto& a : scenario.ablations)
    ablations.push_back({{"configuration", a.configuration}, {"metric", a.metric}, {"controls", a.controls}});
  for (const auto& g : scenario.gates) {
    gates.push_back({{"configuration", g.configuration},
                     {"metric", g.metric},
                     {"effect", g.effect ? json(*g.effect) : json(nullptr)}});
    if (!g.declared_at.file.empty())
      gates.back()["declared_at"] = {{"file", g.declared_at.file}, {"line", g.declared_at.line}};
  }
  return {{"name", scenario.name},
          {"question", scenario.question},
          {"budget_s", scenario.budget_s},
          {"cases", cases},
          {"groups", groups},
          {"comparisons", comparisons},
          {"gates", gates},
          {"ablations", ablations}};
}

}  // namespace

std::string to_string(CaseKind kind) {
  static constexpr std::array names{"timed", "trained", "exact", "service"};
  return names.at(static_cast<std::size_t>(kind));
}

const ScenarioInfo* Catalogue::scenario(const std::string& scenario_name) const {
  return named(scenarios, scenario_name);
}

const Profile* Catalogue::profile(const std::string& profile_name) const { return named(profiles, profile_name); }

const ScenarioInfo* Catalogue::scenario_of(const std::string& case_name) const {
  return scenario(case_name.substr(0, case_name.find('.')));
}

const CaseInfo* Catalogue::find(const std::string& case_name) const {
  const ScenarioInfo* const home = scenario_of(case_name);
  return home ? named(home->cases, case_name) : nullptr;
}

std::map<std::string, std::int64_t> lengths_of(const Profile& profile, const std::string& scenario) {
  std::map<std::string, std::int64_t> result;
  for (const auto& [key, value] : profile.lengths) {
    if (key.find('.') == std::string::npos)
      result.emplace(key, value);
    else if (key.starts_with(scenario + "."))
      result[key.substr(scenario.size() + 1)] = value;
  }
  return result;
}

Catalogue catalogue_of(const Program& program) {
  Catalogue result;
  result.program = {{"name", program.name},
                    {"version", program.version},
                    {"commit", program.commit},
                    {"dirty", program.dirty},
                    {"build", program.build.is_null() ? json::object() : program.build}};
  if (program.controls) result.controls = program.controls({});
  result.profiles = program.profiles;
  for (const auto& scenario : program.scenarios) result.scenarios.push_back(offer(scenario));
  make_canonical(result);
  validate(result);
  for (const auto& scenario : result.scenarios)  // a peer's may come from another program; ours must all be here
    for (const auto& one : scenario.cases)
      for (const auto& need : one.needs) canonical_id(result, need.from);
  return result;
}

nlohmann::json to_json(const Catalogue& catalogue) {
  json controls = json::array(), profiles = json::array(), scenarios = json::array();
  for (const auto& c : catalogue.controls)
    controls.push_back({{"name", c.name},
                        {"summary", c.summary},
                        {"on", c.on},
                        {"acts", c.acts},
                        {"reason", c.reason},
                        {"environment_on", c.environment_on},
                        {"environment_off", c.environment_off},
                        {"needs", c.needs}});
  for (const auto& p : catalogue.profiles)
    profiles.push_back({{"name", p.name},
                        {"rounds", p.rounds},
                        {"repetitions", p.repetitions},
                        {"seeds", p.seeds},
                        {"lengths", p.lengths}});
  for (const auto& scenario : catalogue.scenarios) scenarios.push_back(to_json(scenario));
  return {{"protocol", 1},
          {"program", catalogue.program},
          {"controls", controls},
          {"profiles", profiles},
          {"scenarios", scenarios}};
}

nlohmann::json catalogue(const Program& program) { return to_json(catalogue_of(program)); }

}  // namespace assay::harness
