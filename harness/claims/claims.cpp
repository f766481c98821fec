#include "harness/claims/claims.hpp"

#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "harness/cases/program.hpp"
#include "harness/claims/bounds.hpp"
#include "harness/json/json_place.hpp"

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

/// Checks one entry of `tested_by`; whether it is a comparison.
bool check_test(const json& test, const std::string& where) {
  require(test.is_object(), where, "each entry of tested_by must be an object");
  const bool by_comparison = is_text(test, "comparison") && is_text(test, "metric");
  require(by_comparison || (is_text(test, "value") && is_text(test, "case")), where,
          "tested_by needs comparison and metric, or value and case");
  check_unless(test, by_comparison, where);
  return by_comparison;
}

/// Several tests differ in the number format that they name, and a figure that names one is of one of these.
void check_formats(const json& published, const json& tests, const std::string& where) {
  std::set<std::string> formats;
  for (const json& test : tests) {
    require(!test.contains("format") || is_text(test, "format"), where, "format must be a text");
    require(formats.insert(test.value("format", "")).second, where, "two tests of one format");
  }
  require(tests.size() == 1 || !formats.contains(""), where, "each of several tests must name its format");
  if (published.contains("format"))
    require(is_text(published, "format") && formats.contains(published.at("format")), where,
            "the published format must be that of a test");
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
  const json tests = given.value("tested_by", json::array());
  require(tests.is_array() && !tests.empty(), where, "tested_by must be a list of one test or more");
  const bool by_comparison = check_test(tests.front(), where);
  for (const json& test : tests)
    require(check_test(test, where) == by_comparison, where, "tested_by must be all comparisons or all values");
  check_formats(given.at("published"), tests, where);
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
  } catch (const JsonError& error) {
    throw DataError(path.string() + ": " + error.what());
  } catch (const std::invalid_argument& error) {
    throw DataError(path.string() + ": " + error.what());
  }
}

}  // namespace assay::harness
