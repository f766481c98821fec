#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/cases/program.hpp"
#include "harness/cases/scenario.hpp"

namespace assay::harness {

/// What the harness knows of one case (docs/protocol.md). `name` includes the scenario: "tracing.step".
struct CaseInfo {
  std::string name;
  CaseKind kind = CaseKind::timed;
  std::vector<ParameterInfo> parameters;
  std::vector<MetricInfo> metrics;
  std::vector<Dependency> needs;
  std::map<std::string, std::string> env;
  std::vector<std::string> launch;
  std::optional<double> limit_s;
};

/// What the harness knows of one scenario. Group names, comparison ids and configurations include the scenario:
/// "tracing.step{mode=eager}".
struct ScenarioInfo {
  std::string name, question;
  std::map<std::string, double> budget_s;
  std::vector<CaseInfo> cases;
  std::vector<Group> groups;
  std::vector<Comparison> comparisons;
  std::vector<GatedMetric> gates{};
  std::vector<AblatedMetric> ablations{};
};

/// What `PROGRAM cases` prints. `program` holds name, version, commit, dirty and build.
struct Catalogue {
  nlohmann::json program;
  std::vector<ControlInfo> controls;
  std::vector<Profile> profiles;
  std::vector<ScenarioInfo> scenarios;

  std::string name() const { return program.at("name").get<std::string>(); }
  const ScenarioInfo* scenario(const std::string& scenario_name) const;
  const Profile* profile(const std::string& profile_name) const;
  /// The case with that name, and its scenario. Null if there is none.
  const CaseInfo* find(const std::string& case_name) const;
  const ScenarioInfo* scenario_of(const std::string& case_name) const;
};

/// A catalogue that breaks the protocol. Names the place, what was expected and what was found.
class CatalogueError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string to_string(CaseKind kind);

/// The catalogue of this program, with complete names, validated.
Catalogue catalogue_of(const Program& program);

nlohmann::json to_json(const Catalogue& catalogue);

/// Reads and validates the catalogue of any program. Every message begins with `source`.
Catalogue read_catalogue(const nlohmann::json& document, const std::string& source);

/// A case's list of parameters alone, as a catalogue holds it. Not validated.
std::vector<ParameterInfo> read_parameters(const nlohmann::json& list, const std::string& source);

/// The id with defaults left out and keys sorted. Throws CatalogueError for an unknown case, parameter, value or
/// control.
std::string canonical_id(const Catalogue& catalogue, const std::string& configuration);

/// The lengths of a profile for the cases of one scenario. "tracing.epochs" is `epochs` in tracing and is left out
/// elsewhere. A key without a scenario is for all scenarios.
std::map<std::string, std::int64_t> lengths_of(const Profile& profile, const std::string& scenario);

/// Replaces every configuration of groups, comparisons, ablations and gates by its canonical id.
void make_canonical(Catalogue& catalogue);

/// Checks that the tables fit each other: names are unique, a group is of one kind, a comparison stays in one group and
/// names a metric of both sides. Throws CatalogueError.
void validate(const Catalogue& catalogue);

}  // namespace assay::harness
