#include "harness/results/document.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "harness/claims/evaluate.hpp"
#include "harness/machine/state.hpp"
#include "harness/results/against.hpp"
#include "harness/results/columns.hpp"
#include "harness/results/comparisons.hpp"
#include "harness/results/samples.hpp"
#include "harness/results/unfit_findings.hpp"
#include "harness/results/usage.hpp"
#include "harness/results/values.hpp"
#include "harness/stats/median.hpp"
#include "harness/stats/sign_interval.hpp"
#include "harness/text/format_number.hpp"

namespace assay::harness {

namespace {

using nlohmann::json;

const json& header_of(const std::vector<json>& records) {
  if (records.empty() || records.front().value("record", "") != "run")
    throw std::runtime_error("records of a run: expected a first line with \"record\": \"run\"");
  if (records.front().at("schema") != schema_version)
    throw std::runtime_error("records of a run: schema " + records.front().at("schema").dump() + ", expected " +
                             std::to_string(schema_version));
  return records.front();
}

std::vector<double> numbers(const std::vector<json>& processes, const std::string& field, bool only_used) {
  std::vector<double> found;
  for (const json& process : processes)
    if ((process.at("used").get<bool>() || !only_used) && process.contains(field) && process.at(field).is_number())
      found.push_back(process.at(field));
  return found;
}

json cost(const std::vector<double>& values) {
  if (values.empty()) return {{"median", nullptr}, {"max", nullptr}};
  return {{"median", median(values)}, {"max", *std::max_element(values.begin(), values.end())}};
}

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

json state_of(const json& header, const std::vector<json>& records, const std::vector<json>& processes) {
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
  const auto steal = numbers(processes, "steal_percent", true);
  if (steal.empty()) return state;
  const double middle = median(steal);
  state["median_steal_percent"] = middle;
  if (middle > max_steal_percent) {
    judge_nothing("the machine was not fit: others took " + format_decimals(middle, 1) +
                  " % of its processors (median steal, limit " + format_number(max_steal_percent) + " %)");
  }
  return state;
}

std::vector<std::string> strings(const json& list) {
  return list.is_array() ? list.get<std::vector<std::string>>() : std::vector<std::string>{};
}

json controls_of(const json& catalogue, const std::vector<std::string>& off) {
  json controls = json::array();
  const auto is_off = [&](const std::string& name) {
    return std::any_of(off.begin(), off.end(), [&](const std::string& one) { return one == name || one == "all"; });
  };
  for (const json& control : catalogue.value("controls", json::array()))
    controls.push_back({{"name", control.at("name")},
                        {"summary", control.value("summary", "")},
                        {"on", control.at("on").get<bool>() && !is_off(control.at("name"))},
                        {"acts", control.at("acts")},
                        {"reason", control.value("reason", "")}});
  return controls;
}

json selected_scenarios(const json& catalogue, const std::vector<std::string>& names) {
  json selected = json::array();
  for (const json& scenario : catalogue.at("scenarios"))
    if (names.empty() || std::find(names.begin(), names.end(), scenario.at("name").get<std::string>()) != names.end())
      selected.push_back(scenario);
  return selected;
}

std::map<std::string, std::string> per_of_groups(const json& schedule) {
  std::map<std::string, std::string> per;
  for (const json& step : schedule) per[step.at("group")] = per_of_kind(step.at("kind"));
  return per;
}

std::vector<std::string> configuration_order(const json& scenarios) {
  std::vector<std::string> order;
  for (const json& scenario : scenarios) {
    for (const json& group : scenario.value("groups", json::array()))
      for (const json& configuration : group.at("configurations")) order.push_back(configuration);
    for (const json& one : scenario.at("cases")) order.push_back(one.at("name"));
  }
  return order;
}

/// Within every program that offers both sides. The first program's comparisons are used, so it always has its row.
json comparisons_of(const json& scenarios, const std::vector<std::string>& programs, const Columns& columns,
                    const Measurements& measurements, const Circumstances& circumstances) {
  json rows = json::array();
  for (const json& scenario : scenarios)
    for (const json& comparison : scenario.value("comparisons", json::array()))
      for (const std::string& program : programs) {
        const auto found = measurements.find(program);
        const auto ran = [&](const char* side) {
          return found != measurements.end() && found->second.contains(comparison.at(side).get<std::string>());
        };
        if (program != programs.front() && !(ran("baseline") && ran("candidate"))) continue;
        Circumstances own = circumstances;  // what was switched off means nothing to a program without controls
        if (columns.catalogue_of(program).value("controls", json::array()).empty()) own.off.clear();
        rows.push_back(compare(comparison, scenario, program, measurements, own));
      }
  return rows;
}

json intervals_of(const json& values, const json& comparisons, const json& against) {
  std::vector<double> confidences;
  const auto add = [&](const json& row) {
    if (row.is_object() && row.at("confidence").is_number()) confidences.push_back(row.at("confidence"));
  };
  for (const json* rows : {&values, &comparisons, &against})
    for (const json& row : *rows) {
      add(row);
      if (row.contains("without_call_overhead")) add(row.at("without_call_overhead"));
    }
  return {{"printed", confidences.size()}, {"expected_to_miss", expected_to_miss(confidences)}};
}

/// The library writes NaN as null and says nothing; here it is an error of this program.
void require_finite_document(const json& node, const std::string& path) {
  if (node.is_number_float() && !std::isfinite(node.get<double>()))
    throw std::logic_error("run document: " + path + " is not finite");
  if (node.is_structured())
    for (const auto& item : node.items()) require_finite_document(item.value(), path + "/" + item.key());
}

std::int64_t peak_of(const json& process) {
  for (const json& event : process.at("events"))
    if (event.value("event", "") == "finish" && event.contains("peak_bytes") &&
        event.at("peak_bytes").is_number_integer())
      return event.at("peak_bytes");
  return -1;
}

}  // namespace

json make_document(const std::vector<json>& records, const json& claims) {
  const json& header = header_of(records);
  const json& catalogue = header.at("catalogue");
  const auto off = strings(header.at("options").value("off", json::array()));
  const Columns columns(header);
  std::vector<std::string> programs;
  for (const json& program : columns.programs()) programs.push_back(program.at("name"));
  if (programs.empty()) throw std::runtime_error("records of a run: no program");

  std::vector<json> processes = processes_with_use(records);
  for (json& process : processes) {
    const std::int64_t peak = peak_of(process);
    process["peak_bytes"] = peak < 0 ? json(nullptr) : json(peak);
    columns.place(process);
  }
  const json state = state_of(header, records, processes);
  const json scenarios = selected_scenarios(catalogue, strings(header.at("options").value("scenarios", json::array())));
  json failures = configurations_that_left(records, "failed"), skipped = configurations_that_left(records, "skipped");
  for (json* list : {&failures, &skipped})
    for (json& entry : *list) columns.place(entry);
  Measurements measurements = collect(processes, per_of_groups(header.at("schedule")));
  for (const std::string& program : programs) mark_exact(measurements, program, columns.catalogue_of(program));
  add_left(measurements, failures);
  add_left(measurements, skipped);
  const auto unfit = strings(state.at("reasons"));
  const json values = value_rows(measurements, programs, configuration_order(scenarios));
  const json comparisons = comparisons_of(scenarios, programs, columns, measurements, {off, unfit});
  const json against = against_others(programs, measurements, scenarios, unfit);

  json document{{"schema", schema_version},
                {"id", header.at("id")},
                {"created", header.at("created")},
                {"options", header.at("options")},
                {"profile", header.at("profile")},
                {"programs", columns.programs()},
                {"machine", header.at("machine")},
                {"state", state},
                {"controls", controls_of(catalogue, off)},
                {"scenarios", json::array()},
                {"processes", processes},
                {"values", values},
                {"comparisons", comparisons},
                {"against", against},
                {"failures", failures},
                {"skipped", skipped},
                {"intervals", intervals_of(values, comparisons, against)}};
  const json& own = header.at("programs").front();
  document["assay"] = {{"version", own.at("version")}, {"commit", own.at("commit")}, {"dirty", own.at("dirty")}};
  for (const json& scenario : scenarios)
    document["scenarios"].push_back({{"name", scenario.at("name")}, {"question", scenario.at("question")}});
  document["harness"] = {{"processes", processes.size()},
                         {"spawn_ms", cost(numbers(processes, "spawn_ms", false))},
                         {"parse_ms", cost(numbers(processes, "parse_ms", false))}};
  document["claims"] = evaluate_claims(claims, document, catalogue);
  require_finite_document(document, "");
  return document;
}

}  // namespace assay::harness
