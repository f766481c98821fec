#include "harness/gate/ratios.hpp"

#include <cmath>

#include "harness/gate/judge.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

const json* find(const json& document, const json& like) {
  for (const json& row : document.at("comparisons"))
    if (row.at("id") == like.at("id") && row.at("program") == like.at("program")) return &row;
  return nullptr;
}

void judge(json& row, const Preset& preset, const std::string& better) {
  const double estimate = std::log(row.at("estimate").get<double>()), low = std::log(row.at("low").get<double>()),
               high = std::log(row.at("high").get<double>());
  if (-preset.log_margin() <= low && high <= preset.log_margin()) {
    row["verdict"] = "same";
  } else if ((low > 0 || high < 0) && std::abs(estimate) > preset.log_floor() && !better.empty()) {
    row["verdict"] = (estimate > 0) == (better == "lower") ? "regressed" : "improved";
    row["reason"] = "the ratio moved: look which of its two sides did";
  } else {
    row["verdict"] = "undecided";
  }
}

json ratio_row(const json& then, const json& now, const Preset& preset) {
  json row{{"id", now.at("id")},
           {"metric", now.at("metric")},
           {"better", now.at("better")},
           {"before", then.at("estimate")},
           {"after", now.at("estimate")},
           {"estimate", nullptr},
           {"low", nullptr},
           {"high", nullptr},
           {"verdict", "invalid"},
           {"reason", ""}};
  for (const json* side : {&then, &now})
    if (!side->at("low").is_number()) {
      const std::string why = side->at("reason");
      row["reason"] = std::string(side == &then ? "then: " : "now: ") + (why.empty() ? "no interval" : why);
      return row;
    }
  row["estimate"] = now.at("estimate").get<double>() / then.at("estimate").get<double>();
  row["low"] = now.at("low").get<double>() / then.at("high").get<double>();
  row["high"] = now.at("high").get<double>() / then.at("low").get<double>();
  judge(row, preset, now.at("better"));
  return row;
}

/// The row in the form of the gate's own rows.
json benchmark_row(const json& ratio, const Preset& preset, const std::string& preset_from) {
  const GateBenchmark benchmark{ratio.at("id"),
                                ratio.at("metric").get<std::string>() + " ratio",
                                "x",
                                ratio.at("better"),
                                CaseKind::timed,
                                preset,
                                preset_from};
  json row = unmeasured_row(benchmark, ratio.at("verdict"), ratio.at("reason"));
  row["baseline"] = ratio.at("before");
  row["candidate"] = ratio.at("after");
  for (const char* name : {"estimate", "low", "high"}) row[name] = ratio.at(name);
  return row;
}

json exit_of(const json& rows, const json& after, const GateTerms& terms) {
  json failed = json::array(), worse = json::array(), nothing = json::array(), unfit = json::array();
  for (const json& failure : after.at("failures"))
    failed.push_back(failure.at("configuration").get<std::string>() + ": " + failure.at("reason").get<std::string>());
  for (const json& comparison : after.at("comparisons"))
    for (const json& check : comparison.at("checks_failed"))
      failed.push_back(comparison.at("id").get<std::string>() + ": check \"" + check.at("name").get<std::string>() +
                       "\" failed");
  bool judged = false;
  for (const json& row : rows) {
    const std::string verdict = row.at("verdict"), name = row.at("configuration");
    judged = judged || !row.at("estimate").is_null();
    if (verdict == "regressed") worse.push_back(name + " regressed: " + row.at("reason").get<std::string>());
    if (verdict == "undecided" && terms.fail_on_undecided)
      worse.push_back(name + " is undecided, and --fail-on undecided was asked");
  }
  if (!judged && after.at("state").at("fit").get<bool>()) nothing.push_back("no ratio was formed in both runs");
  if (!after.at("state").at("fit").get<bool>())
    for (const json& reason : after.at("state").at("reasons")) unfit.push_back(reason);
  json causes = json::array();
  int code = 0;
  for (const auto& [one, why] : {std::pair{3, failed}, {1, worse}, {4, nothing}, {5, unfit}}) {
    if (why.empty()) continue;
    if (code == 0) code = one;
    causes.insert(causes.end(), why.begin(), why.end());
  }
  return {{"code", code}, {"causes", causes}};
}

}  // namespace

json compare_ratios(const json& before, const json& after, const Preset& preset) {
  json rows = json::array();
  for (const json& now : after.at("comparisons")) {
    if (now.at("form") != "ratio") continue;
    if (const json* const then = find(before, now)) rows.push_back(ratio_row(*then, now, preset));
  }
  const std::string there = before.at("machine").at("key"), here = after.at("machine").at("key");
  const std::string why = "Only ratios that were formed inside a run are compared: " +
                          (there == here ? "times of another day differ by the state of the machine, on this one too"
                                         : "the stored run is of machine " + there + ", this is " + here +
                                               ", and times of two machines say nothing of the program") +
                          ". For times: ./assay gate --against REF.";
  return {{"why", why}, {"ratios", rows}};
}

json ratio_section(const json& before, const json& after, const Preset& preset, const std::string& preset_from,
                   const GateTerms& terms) {
  const json compared = compare_ratios(before, after, preset);
  json rows = json::array(), counts = json::object();
  for (const json& ratio : compared.at("ratios")) {
    rows.push_back(benchmark_row(ratio, preset, preset_from));
    const std::string verdict = ratio.at("verdict");
    counts[verdict] = counts.value(verdict, 0) + 1;
  }
  return {{"against", terms.against},
          {"commit", terms.commit},
          {"note", compared.at("why")},
          {"same_bytes", false},
          {"order_seed", 0},
          {"budget_s", nullptr},  // the profile decides how long it takes
          {"fail_on_undecided", terms.fail_on_undecided},
          {"repeated", json::array()},
          {"benchmarks", rows},
          {"counts", counts},
          {"timed", rows.size()},
          {"looks", json::array()},
          {"confirming", {{"at_8", nullptr}, {"at_16", nullptr}}},
          {"false_alarm_bound", nullptr},  // not judged by the gate's procedure
          {"null_control", {{"rounds", 0}, {"slower", 0}, {"faster", 0}, {"p", 1}, {"alarm", false}}},
          {"median_steal_percent", after.at("state").value("median_steal_percent", json(0.0))},
          {"processes", after.at("harness").at("processes")},
          {"exit", exit_of(rows, after, terms)}};
}

}  // namespace assay::harness
