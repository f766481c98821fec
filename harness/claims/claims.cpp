#include "harness/claims/claims.hpp"

#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "harness/cases/json_place.hpp"
#include "harness/cases/program.hpp"
#include "harness/claims/bounds.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

void require(bool fine, const std::string& where, const std::string& what) {
  if (!fine) throw std::invalid_argument(where + ": " + what);
}

bool is_text(const json& object, const char* key) { return object.contains(key) && object.at(key).is_string(); }

void check_published(const json& published, const std::string& where) {
  require(is_text(published, "text"), where, "published needs a text");
  int figures = 0;
  for (const char* kind : {"ratio", "difference", "value"}) {
    if (!published.contains(kind)) continue;
    ++figures;
    require(published.at(kind).is_number(), where, "the published figure must be a number");
  }
  require(figures <= 1, where, "at most one published figure");
  require(!published.contains("ratio") || published.at("ratio") > 0, where, "a published ratio must be positive");
}

/// `unless`: where a value of the candidate is above a limit, its comparison tests nothing, for that reason.
void check_unless(const json& tested_by, bool by_comparison, const std::string& where) {
  if (!tested_by.contains("unless")) return;
  const json& unless = tested_by.at("unless");
  require(by_comparison && unless.is_object() && is_text(unless, "value") && is_text(unless, "reason") &&
              unless.contains("above") && unless.at("above").is_number(),
          where, "unless needs value, above and reason, and a comparison");
}

json complete(const json& given) {
  require(is_text(given, "id"), "a claim", "it has no id");
  const std::string where = "claim " + given.at("id").get<std::string>();
  require(given.contains("section") && given.at("section").is_number_integer(), where, "section must be a number");
  require(is_text(given, "source") && (given.at("source") == "P" || given.at("source") == "K"), where,
          "source must be P or K");
  require(is_text(given, "advice"), where, "advice must be a text");
  require(given.contains("published") && given.at("published").is_object(), where, "published must be an object");
  check_published(given.at("published"), where);
  const json tested_by = given.value("tested_by", json::object());
  const bool by_comparison = is_text(tested_by, "comparison") && is_text(tested_by, "metric");
  require(by_comparison || (is_text(tested_by, "value") && is_text(tested_by, "case")), where,
          "tested_by needs comparison and metric, or value and case");
  check_unless(tested_by, by_comparison, where);
  json claim = given;
  for (const char* name : {"holds", "reproduced"}) {
    claim.emplace(name, nullptr);
    if (claim.at(name).is_null()) continue;
    const Bounds bounds = read_bounds(claim.at(name), where + ", " + name);
    require((bounds.kind == "value") != by_comparison, where,
            std::string(name) + " bounds another kind of number than tested_by gives");
  }
  require(!claim.at("holds").is_null(), where, "holds is missing: say inside which bounds the advice holds");
  require(is_text(claim, "why"), where, "why is missing: say why these bounds");
  return claim;
}

}  // namespace

json complete_claims(const json& claims) {
  if (!claims.is_array()) throw std::invalid_argument("claims: expected a list");
  json result = json::array();
  std::set<std::string> seen;
  for (const json& claim : claims) {
    result.push_back(complete(claim));
    const std::string id = claim.at("id");
    require(seen.insert(id).second, "claim " + id, "it stands twice");
  }
  return result;
}

json load_claims(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw DataError(path.string() + ": cannot be read; expected the published claims");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    const json document = parse_json(text);
    return complete_claims(JsonPlace(document, "").at("claims").value());
  } catch (const BadField& error) {
    throw DataError(path.string() + ": " + error.what());
  } catch (const std::invalid_argument& error) {
    throw DataError(path.string() + ": " + error.what());
  }
}

}  // namespace assay::harness
