#include "harness/results/state_section.hpp"

#include <algorithm>
#include <utility>

#include "harness/machine/state.hpp"
#include "harness/results/document.hpp"
#include "harness/results/unfit_findings.hpp"
#include "harness/stats/median.hpp"
#include "harness/text/format_number.hpp"

namespace assay::harness {

using nlohmann::json;

namespace {

/// What made measurements doubtful, each with the moments at which it was found.
json concerns_of(const json& state) {
  std::vector<std::pair<std::string, std::string>> found;  // what, when
  const auto look = [&](const json& at, const std::string& when) {
    if (!at.is_object()) return;
    std::vector<std::string> whats = concerns(at);
    for (const std::string& unfit : unfit_findings(at)) whats.push_back("the doctor found it unfit: " + unfit);
    for (const std::string& what : whats) {
      const auto known =
          std::find_if(found.begin(), found.end(), [&](const auto& earlier) { return earlier.first == what; });
      if (known == found.end())
        found.emplace_back(what, when);
      else
        known->second += ", " + when;
    }
  };
  look(state.at("before"), "before the run");
  for (const json& at : state.value("resumed", json::array())) look(at, "when it was resumed");
  look(state.at("after"), "after the run");
  json list = json::array();
  for (const auto& [what, when] : found) list.push_back(what + " (" + when + ")");
  return list;
}

}  // namespace

std::vector<double> numbers_of(const std::vector<json>& processes, const std::string& field, bool only_used) {
  std::vector<double> found;
  for (const json& process : processes)
    if ((process.at("used").get<bool>() || !only_used) && process.contains(field) && process.at(field).is_number())
      found.push_back(process.at(field));
  return found;
}

json state_section(const json& header, const std::vector<json>& records, const std::vector<json>& processes) {
  json state{{"before", header.value("state_before", json::object())},
             {"after", json::object()},
             {"median_steal_percent", nullptr},
             {"fit", true},
             {"reasons", json::array()},
             {"concerns", json::array()}};
  for (const json& record : records) {
    if (record.at("record") == "end") state["after"] = record.value("state_after", json::object());
    if (record.at("record") == "resume" && record.value("state_before", json()).is_object())
      state["resumed"].push_back(record.at("state_before"));
  }
  state["concerns"] = concerns_of(state);
  const auto judge_nothing = [&](const std::string& reason) {
    state["fit"] = false;
    state["reasons"].push_back(reason);
  };
  for (const auto& reason : lasting_unfit_findings(state)) judge_nothing(reason);
  const auto steal = numbers_of(processes, "steal_percent", true);
  if (steal.empty()) return state;
  const double middle = median(steal);
  state["median_steal_percent"] = middle;
  if (middle > max_steal_percent) {
    judge_nothing("the machine was not fit: others took " + format_decimals(middle, 1) +
                  " % of its processors (median steal, limit " + format_number(max_steal_percent) + " %)");
  }
  return state;
}

}  // namespace assay::harness
