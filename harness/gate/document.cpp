#include "harness/gate/document.hpp"

#include "harness/gate/section.hpp"
#include "harness/gate/sequential_gate.hpp"
#include "harness/results/document.hpp"
#include "harness/results/usage.hpp"
#include "harness/results/values.hpp"
#include "harness/stats/sign_interval.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

/// Numbers samples within each program and not by round, since a round holds two processes of the candidate.
json values_of(const std::vector<json>& records) {
  std::vector<json> processes = processes_with_use(records);
  std::map<std::string, std::string> per;
  std::map<std::pair<std::string, std::string>, int> count;
  for (json& process : processes) {
    if (process.at("step").is_null()) continue;
    per[process.at("group")] = "process";
    process["round"] = ++count[{process.at("program"), process.at("configuration")}];
  }
  return value_rows(collect(processes, per), {candidate_name, baseline_name, null_name}, {});
}

/// Processes that crashed once and whose repeated round went well.
json repeated(const json& processes) {
  json texts = json::array();
  for (const json& process : processes)
    if (process.at("status") == "failed" && process.at("attempt") == 1)
      texts.push_back(process.at("program").get<std::string>() + " " + process.at("configuration").get<std::string>() +
                      ": " + process.at("reason").get<std::string>());
  return texts;
}

json intervals_of(const json& values) {
  std::vector<double> confidences;
  for (const json& row : values)
    if (row.at("confidence").is_number()) confidences.push_back(row.at("confidence"));
  return {{"printed", confidences.size()}, {"expected_to_miss", expected_to_miss(confidences)}};
}

}  // namespace

json gate_document(const std::vector<json>& records, const GatePlan& plan) {
  std::vector<json> plain = records;
  for (json& scenario : plain.front()["catalogue"]["scenarios"])
    scenario["comparisons"] = json::array();  // the gate has its own
  json document = make_document(plain, json::array());
  SequentialGate gate = plan.sequential_gate();
  for (const json& record : records) gate.apply(record);
  document["values"] = values_of(records);
  document["intervals"] = intervals_of(document.at("values"));
  document["gate"] = gate_section(gate, plan.selection, plan.terms);
  document["gate"]["repeated"] = repeated(document.at("processes"));
  return document;
}

}  // namespace assay::harness
