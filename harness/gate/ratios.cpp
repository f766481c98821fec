#include "harness/gate/ratios.hpp"

#include <cmath>

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

}  // namespace assay::harness
