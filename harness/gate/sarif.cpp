#include <array>
#include <cctype>
#include <cstdio>

#include "harness/gate/render.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

struct Rule {
  const char *verdict, *level, *text;
};

/// The verdicts that become results.
constexpr std::array<Rule, 6> rules{
    {{"regressed", "error", "A benchmark became slower, or an exact count or accuracy got worse."},
     {"invalid", "warning", "A benchmark gave no valid answer."},
     {"undecided", "note", "A benchmark needs more rounds for a verdict."},
     {"improved", "note", "A benchmark became faster, or an exact count or accuracy got better."},
     {"changed", "note", "An exact count changed."},
     {"gone", "note", "A benchmark of the baseline does not exist any more."}}};

/// A relative path as a URI reference, percent-encoded.
std::string uri_of(const std::string& path) {
  std::string uri;
  for (const char c : path) {
    if (std::isalnum(static_cast<unsigned char>(c)) || std::string_view("-._~/").find(c) != std::string_view::npos) {
      uri += c;
      continue;
    }
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned char>(c));
    uri += escaped;
  }
  return uri;
}

json message(const std::string& text) { return {{"text", text}}; }

/// The line that declares the benchmark. GitHub's code scanning shows no result without a file and a line.
json location_of(const json& row) {
  const std::string configuration = row.at("configuration");
  const json& declared = row.at("declared_at");
  const std::string scenario = configuration.substr(0, configuration.find('.'));
  const json file = declared.is_null() ? json("scenarios/" + scenario + "/README.md") : declared.at("file"),
             line = declared.is_null() ? json(1) : declared.at("line");
  return {{{"physicalLocation",
            {{"artifactLocation", {{"uri", uri_of(file.get<std::string>())}, {"uriBaseId", "SRCROOT"}}},
             {"region", {{"startLine", line}}}}},
           {"logicalLocations", {{{"fullyQualifiedName", configuration}, {"kind", "function"}}}}}};
}

}  // namespace

json gate_sarif(const json& document) {
  const json& gate = document.at("gate");
  json listed = json::array(), results = json::array(), notes = json::array();
  for (const Rule& rule : rules)
    listed.push_back({{"id", std::string("gate/") + rule.verdict},
                      {"name", rule.verdict},
                      {"shortDescription", message(rule.text)},
                      {"defaultConfiguration", {{"level", rule.level}}}});
  for (const json& row : gate.at("benchmarks"))
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (row.at("verdict") != rules[i].verdict) continue;
      const std::string configuration = row.at("configuration"), metric = row.at("metric");
      std::string text = configuration + " " + metric + ": " + rules[i].verdict + " " + row_text(row);
      if (const std::string note = row_note(row); !note.empty()) text += " (" + note + ")";
      results.push_back({{"ruleId", std::string("gate/") + rules[i].verdict},
                         {"ruleIndex", i},
                         {"level", rules[i].level},
                         {"message", message(text)},
                         {"locations", location_of(row)},
                         {"partialFingerprints", {{"benchmark/v1", configuration + " " + metric}}}});
    }
  for (const json& cause : gate.at("exit").at("causes"))
    notes.push_back({{"level", "error"}, {"message", message(cause)}});
  const int code = gate.at("exit").at("code");
  return {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       {{{"tool",
          {{"driver", {{"name", "assay gate"}, {"version", document.at("assay").at("version")}, {"rules", listed}}}}},
         {"originalUriBaseIds", {{"SRCROOT", {{"description", message("the project's folder")}}}}},
         {"invocations",
          {{{"executionSuccessful", code == 0 || code == 1},
            {"exitCode", code},
            {"toolExecutionNotifications", notes}}}},
         {"results", results}}}}};
}

}  // namespace assay::harness
