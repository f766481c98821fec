#include "harness/claims/evaluate.hpp"

#include <algorithm>
#include <optional>

#include "harness/claims/figure.hpp"
#include "harness/run/failed_check.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

/// What was found of one claim in one program: a range to judge, or why there is none.
struct Found {
  json estimate = nullptr;
  std::optional<Range> range{};
  std::string unit{};
  std::string advice{}, figure{}, reason{};  // verdicts where there is nothing to judge
};

Found not_tested(const std::string& why) { return {nullptr, {}, "", "not tested yet", "not tested yet", why}; }
Found not_testable(const std::string& why) { return {nullptr, {}, "", "not testable here", "not testable", why}; }

/// A row of the document that was measured: its range, or its reason where it has none.
Found from_row(const json& row, const char* estimate_name, const std::string& unit) {
  const json& estimate = row.at(estimate_name);
  if (row.at("low").is_number()) return {estimate, Range{row.at("low"), row.at("high")}, unit};
  if (row.at("exact").get<bool>()) return {estimate, Range{estimate, estimate}, unit};
  return {estimate, {}, unit, "undecided", "undecided", row.at("reason")};
}

const json* row(const json& rows, const std::string& program, const std::string& key, const std::string& value) {
  for (const json& one : rows)
    if (one.at("program") == program && one.at(key) == value) return &one;
  return nullptr;
}

std::string case_of(const std::string& configuration) { return configuration.substr(0, configuration.find('{')); }
std::string scenario_of(const std::string& id) { return id.substr(0, id.find('.')); }

bool named(const json& list, const char* key, const std::string& name) {
  return std::any_of(list.begin(), list.end(), [&](const json& one) { return one.at(key) == name; });
}

/// Why a test of a claim was not made at all, or none where this run selected its scenario.
std::optional<std::string> why_not_tested(const json& by, const json& document, const json& catalogue) {
  const bool comparison = by.contains("comparison");
  const std::string id = comparison ? by.at("comparison") : by.at("case");
  for (const json& scenario : catalogue.at("scenarios")) {
    if (scenario.at("name") != scenario_of(id)) continue;
    const bool offered = comparison ? named(scenario.value("comparisons", json::array()), "id", id)
                                    : named(scenario.at("cases"), "name", case_of(id));
    if (!offered) break;
    if (named(document.at("scenarios"), "name", scenario_of(id))) return std::nullopt;
    return "the scenario " + scenario_of(id) + " was not part of this run";
  }
  return "no scenario tests it yet";
}

/// Why a comparison that was measured tests nothing: the claim's `unless` holds for its candidate. Empty where not.
std::string why_no_test(const json& tested_by, const json& comparison, const json& document) {
  if (!tested_by.contains("unless")) return "";
  const json& unless = tested_by.at("unless");
  for (const json& value : document.at("values")) {
    if (value.at("program") == comparison.at("program") && value.at("configuration") == comparison.at("candidate") &&
        value.at("metric") == unless.at("value") && value.at("median").is_number() &&
        value.at("median") > unless.at("above"))
      return unless.at("reason");
  }
  return "";
}

Found from_comparison(const json& test, const std::string& program, const json& document) {
  const std::string id = test.at("comparison");
  const json* const found = row(document.at("comparisons"), program, "id", id);
  if (!found) return not_testable(program + " does not offer both sides of " + id);
  if (found->at("metric") != test.at("metric"))
    return not_testable(id + " compares " + found->at("metric").get<std::string>() + ", the claim is about " +
                        test.at("metric").get<std::string>());
  if (found->at("verdict") == "invalid") return not_testable(found->at("reason"));
  if (const std::string reason = why_no_test(test, *found, document); !reason.empty()) return not_testable(reason);
  return from_row(*found, "estimate", found->at("form") == "difference" ? found->at("unit").get<std::string>() : "");
}

/// Why a case gave no value that may be judged; empty where it is fine.
std::string trouble_of(const std::string& configuration, const std::string& program, const json& document) {
  for (const char* list : {"failures", "skipped"})
    if (const json* const left = row(document.at(list), program, "configuration", configuration))
      return configuration + " " + left->at("status").get<std::string>() + ": " + left->at("reason").get<std::string>();
  for (const json& process : document.at("processes")) {
    if (process.at("program") != program || process.at("configuration") != configuration) continue;
    if (const json* const check = failed_check_of(process))
      return configuration + ": check \"" + check->at("name").get<std::string>() + "\" failed";
  }
  return "";
}

Found from_value(const json& test, const std::string& program, const json& document) {
  const std::string configuration = test.at("case"), metric = test.at("value");
  if (!document.at("state").at("fit").get<bool>()) return not_testable(document.at("state").at("reasons").at(0));
  if (const std::string trouble = trouble_of(configuration, program, document); !trouble.empty())
    return not_testable(trouble);
  for (const json& value : document.at("values")) {
    if (value.at("program") != program || value.at("configuration") != configuration || value.at("metric") != metric)
      continue;
    if (value.at("median").is_null())
      return not_testable(configuration + ": " + metric + ": " + value.at("reason").get<std::string>());
    return from_row(value, "median", value.at("unit"));
  }
  return not_testable(program + " reported no " + metric + " of " + configuration);
}

/// Why the published figure is not compared with what a test of this format measured; empty where it is.
std::string why_no_figure(const json& published, const std::string& format) {
  const std::string of = published.value("format", format);
  return of == format ? "" : "the published figure is of " + of;
}

json judged(const json& claim, const Found& found, const std::string& program, const std::string& format) {
  json verdict{{"program", program}, {"format", format},       {"advice", found.advice},
               {"low", nullptr},     {"high", nullptr},        {"figure", found.figure},
               {"unit", found.unit}, {"reason", found.reason}, {"estimate", found.estimate}};
  if (!found.range) return verdict;
  verdict["low"] = found.range->low;
  verdict["high"] = found.range->high;
  verdict["advice"] = advice_verdict(claim, *found.range);
  verdict["figure"] = figure_verdict(claim, *found.range);
  if (verdict.at("figure") == "not testable") verdict["reason"] = "the source gives no figure";
  if (const std::string why = why_no_figure(claim.at("published"), format); !why.empty()) {
    verdict["figure"] = "not testable";
    verdict["reason"] = why;
  }
  return verdict;
}

}  // namespace

json evaluate_claims(const json& claims, const json& document, const json& catalogue) {
  json result = json::array();
  for (const json& claim : claims) {
    json with = claim;
    with["verdicts"] = json::array();
    for (const json& entry : document.at("programs"))
      for (const json& test : claim.at("tested_by")) {
        const std::string program = entry.at("name");
        const auto why = why_not_tested(test, document, catalogue);
        const Found found = why                           ? not_tested(*why)
                            : test.contains("comparison") ? from_comparison(test, program, document)
                                                          : from_value(test, program, document);
        with["verdicts"].push_back(judged(claim, found, program, test.value("format", "")));
      }
    result.push_back(std::move(with));
  }
  return result;
}

}  // namespace assay::harness
