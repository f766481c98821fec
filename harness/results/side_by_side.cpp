#include "harness/results/side_by_side.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "harness/errors/errors.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

/// What a row is found by, and what of it a cell keeps.
struct Table {
  std::vector<const char*> names;  // fields that identify a row
  std::vector<const char*> kept;
};

std::string key_of(const json& row, const Table& table) {
  std::string key;
  for (const char* name : table.names) key += row.at(name).get<std::string>() + "\n";
  return key;
}

/// One row for each key, in the order in which they first appear; a cell a run.
json joined(const std::vector<json>& lists, const Table& table) {
  std::vector<std::string> order;
  std::map<std::string, json> rows;
  for (std::size_t run = 0; run < lists.size(); ++run)
    for (const json& row : lists[run]) {
      const std::string key = key_of(row, table);
      if (!rows.contains(key)) {
        order.push_back(key);
        json fresh{{"cells", json(std::vector<json>(lists.size(), nullptr))}};
        for (const char* name : table.names) fresh[name] = row.at(name);
        rows[key] = fresh;
      }
      json cell = json::object();
      for (const char* name : table.kept) cell[name] = row.at(name);
      rows[key]["cells"][run] = cell;
    }
  json result = json::array();
  for (const auto& key : order) {
    const json& cells = rows[key].at("cells");
    if (std::count_if(cells.begin(), cells.end(), [](const json& cell) { return !cell.is_null(); }) > 1)
      result.push_back(rows[key]);
  }
  return result;
}

std::vector<json> each(const std::vector<json>& documents, const std::function<json(const json&)>& part) {
  std::vector<json> result;
  for (const json& document : documents) result.push_back(part(document));
  return result;
}

json claim_rows(const json& document) {
  json rows = json::array();
  for (const json& claim : document.at("claims"))
    for (const json& verdict : claim.at("verdicts")) {
      if (verdict.at("advice") == "not tested yet") continue;
      json row = verdict;
      row["id"] = claim.at("id");
      rows.push_back(row);
    }
  return rows;
}

json description(const json& document) {
  const json& identity = document.at("machine").at("identity");
  return {{"id", document.at("id")},
          {"machine", document.at("machine").at("key")},
          {"cpu", identity.value("cpu", json())},
          {"cores", identity.value("cores", json())},
          {"commit", document.at("assay").at("commit")},
          {"profile", document.at("profile").at("name")},
          {"fit", document.at("state").at("fit")}};
}

}  // namespace

json side_by_side(const std::vector<json>& documents, bool absolute) {
  json sides{{"runs", each(documents, description)}};
  std::set<std::string> machines;
  for (const json& document : documents) machines.insert(document.at("machine").at("key").get<std::string>());
  const bool same = machines.size() == 1;
  sides["same_machine"] = same;
  sides["claims"] = joined(each(documents, claim_rows),
                           {{"id", "program", "format"}, {"advice", "figure", "estimate", "low", "high"}});
  const auto ratios = [](const json& document) {
    json rows = json::array();
    for (const json& row : document.at("comparisons"))
      if (row.at("form") == "ratio") rows.push_back(row);
    return rows;
  };
  sides["ratios"] =
      joined(each(documents, ratios), {{"id", "program", "metric"}, {"estimate", "low", "high", "verdict"}});
  json values = joined(each(documents, [](const json& document) { return document.at("values"); }),
                       {{"configuration", "program", "metric", "unit"}, {"median", "low", "high"}});
  if (sides.at("ratios").empty() && values.empty())
    throw CommandError(4, "these runs have no benchmark in common; run the same scenarios on each machine");
  sides["values"] = same || absolute ? values : json::array();
  sides["values_marked"] = !same && absolute;
  sides["why_no_values"] = same || absolute ? ""
                                            : "times of " + std::to_string(machines.size()) +
                                                  " different machines are not set beside each other: they say nothing "
                                                  "of the program. --absolute shows them, marked";
  return sides;
}

}  // namespace assay::harness
