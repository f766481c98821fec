#include "harness/results/columns.hpp"

#include <algorithm>

#include "harness/cases/case_id.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

const json& parameters_of(const json& catalogue, const std::string& case_name) {
  static const json none = json::array();
  for (const json& scenario : catalogue.at("scenarios"))
    for (const json& one : scenario.at("cases"))
      if (one.at("name") == case_name) return one.at("parameters");
  return none;
}

json column_names(const json& catalogue) {
  return catalogue.value("program", json::object()).value("columns", json::array());
}

bool makes_column(const json& catalogue, const std::string& parameter) {
  const json names = column_names(catalogue);
  return std::find(names.begin(), names.end(), parameter) != names.end();
}

}  // namespace

Columns::Columns(const json& header) {
  for (const json& program : header.at("programs")) {
    const json& catalogue = program.contains("catalogue") ? program.at("catalogue") : header.at("catalogue");
    json entry = program;
    entry.erase("catalogue");
    const auto add = [&](const std::string& column) {
      if (!offered_.emplace(column, &catalogue).second) return;
      entry["name"] = column;
      programs_.push_back(entry);
    };
    if (column_names(catalogue).empty()) {
      add(program.at("name"));
      continue;
    }
    with_columns_[program.at("name")] = &catalogue;
    for (const json& scenario : catalogue.at("scenarios"))
      for (const json& group : scenario.value("groups", json::array()))
        for (const json& configuration : group.at("configurations"))
          add(place_of(catalogue, program.at("name"), configuration).column);
  }
}

Columns::Place Columns::place_of(const json& catalogue, const std::string& program,
                                 const std::string& configuration) const {
  CaseId id = parse_case_id(configuration), column{program, {}};
  for (const json& parameter : parameters_of(catalogue, id.case_name)) {
    const std::string name = parameter.at("name");
    if (!makes_column(catalogue, name)) continue;
    const auto given = id.values.extract(name);
    column.values[name] = given.empty() ? parameter.at("default").get<std::string>() : given.mapped();
  }
  return {format_case_id(column), format_case_id(id)};
}

void Columns::place(json& entry) const {
  const auto found = with_columns_.find(entry.at("program").get<std::string>());
  if (found == with_columns_.end()) return;
  const Place place = place_of(*found->second, found->first, entry.at("configuration"));
  entry["program"] = place.column;
  entry["configuration"] = place.configuration;
}

}  // namespace assay::harness
