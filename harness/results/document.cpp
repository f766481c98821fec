#include "harness/results/document.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "harness/claims/evaluate.hpp"
#include "harness/results/against.hpp"
#include "harness/results/columns.hpp"
#include "harness/results/comparisons.hpp"
#include "harness/results/samples.hpp"
#include "harness/results/state_section.hpp"
#include "harness/results/usage.hpp"
#include "harness/results/values.hpp"
#include "harness/stats/median.hpp"
#include "harness/stats/sign_interval.hpp"

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

json cost(const std::vector<double>& values) {
  if (values.empty()) return {{"median", nullptr}, {"max", nullptr}};
  return {{"median", median(values)}, {"max", *std::max_element(values.begin(), values.end())}};
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

/// What the records say, before anything is judged.
struct RunContents {
  Columns columns;
  std::vector<std::string> programs;  // one a column
  std::vector<json> processes;
  json scenarios;  // that were selected, as in the catalogue
  json failures, skipped;
  Measurements measurements;
};

RunContents contents_of(const json& header, const std::vector<json>& records) {
  RunContents run{Columns(header), {}, processes_with_use(records), {}, {}, {}, {}};
  for (const json& program : run.columns.programs()) run.programs.push_back(program.at("name"));
  if (run.programs.empty()) throw std::runtime_error("records of a run: no program");
  for (json& process : run.processes) {
    const std::int64_t peak = peak_of(process);
    process["peak_bytes"] = peak < 0 ? json(nullptr) : json(peak);
    run.columns.place(process);
  }
  run.scenarios =
      selected_scenarios(header.at("catalogue"), strings(header.at("options").value("scenarios", json::array())));
  run.failures = configurations_that_left(records, "failed");
  run.skipped = configurations_that_left(records, "skipped");
  for (json* list : {&run.failures, &run.skipped})
    for (json& entry : *list) run.columns.place(entry);
  run.measurements = collect(run.processes, per_of_groups(header.at("schedule")));
  for (const std::string& program : run.programs)
    mark_exact(run.measurements, program, run.columns.catalogue_of(program));
  add_left(run.measurements, run.failures);
  add_left(run.measurements, run.skipped);
  return run;
}

/// What was run, on which machine.
json header_section(const json& header, const RunContents& run) {
  json section{{"schema", schema_version},        {"id", header.at("id")},
               {"created", header.at("created")}, {"options", header.at("options")},
               {"profile", header.at("profile")}, {"programs", run.columns.programs()},
               {"machine", header.at("machine")}, {"scenarios", json::array()}};
  const json& own = header.at("programs").front();
  section["assay"] = {{"version", own.at("version")}, {"commit", own.at("commit")}, {"dirty", own.at("dirty")}};
  for (const json& scenario : run.scenarios)
    section["scenarios"].push_back({{"name", scenario.at("name")}, {"question", scenario.at("question")}});
  return section;
}

}  // namespace

json make_document(const std::vector<json>& records, const json& claims) {
  const json& header = header_of(records);
  const RunContents run = contents_of(header, records);
  const auto off = strings(header.at("options").value("off", json::array()));
  const json state = state_section(header, records, run.processes);
  const auto unfit = strings(state.at("reasons"));
  const json values = value_rows(run.measurements, run.programs, configuration_order(run.scenarios));
  const json comparisons = comparisons_of(run.scenarios, run.programs, run.columns, run.measurements, {off, unfit});
  const json against = against_others(run.programs, run.measurements, run.scenarios, unfit);

  json document = header_section(header, run);
  document["state"] = state;
  document["controls"] = controls_of(header.at("catalogue"), off);
  document["processes"] = run.processes;
  document["values"] = values;
  document["comparisons"] = comparisons;
  document["against"] = against;
  document["failures"] = run.failures;
  document["skipped"] = run.skipped;
  document["intervals"] = intervals_of(values, comparisons, against);
  document["harness"] = {{"processes", run.processes.size()},
                         {"spawn_ms", cost(numbers_of(run.processes, "spawn_ms", false))},
                         {"parse_ms", cost(numbers_of(run.processes, "parse_ms", false))}};
  document["claims"] = evaluate_claims(claims, document, header.at("catalogue"));
  require_finite_document(document, "");
  return document;
}

}  // namespace assay::harness
