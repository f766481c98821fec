#include "harness/results/usage.hpp"

#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace assay::harness {

namespace {

using nlohmann::json;

/// A process waits for the end of its round, and an interruption ends the waiting.
using Waiting = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>>;  // by step and attempt

std::pair<std::int64_t, std::int64_t> attempt_of(const json& record) {
  return {record.at("step"), record.at("attempt")};
}

}  // namespace

std::string per_of_kind(const std::string& kind) {
  static const std::map<std::string, std::string> table{
      {"timed", "round"}, {"trained", "seed"}, {"exact", "run"}, {"service", "run"}};
  const auto found = table.find(kind);
  if (found == table.end())
    throw std::invalid_argument("kind of a step: expected timed, trained, exact or service, found '" + kind + "'");
  return found->second;
}

std::vector<json> processes_with_use(const std::vector<json>& records) {
  std::vector<json> processes;
  Waiting waiting;
  for (const json& record : records) {
    const std::string kind = record.at("record");
    if (kind == "resume") waiting.clear();
    if (kind == "process") {
      processes.push_back(record);
      processes.back().erase("record");
      processes.back()["used"] = false;
      if (!record.at("step").is_null()) waiting[attempt_of(record)].push_back(processes.size() - 1);  // null: a service
    }
    if (kind == "round" && record.at("complete").get<bool>())
      for (const std::size_t index : waiting[attempt_of(record)]) processes[index]["used"] = true;
  }
  return processes;
}

json configurations_that_left(const std::vector<json>& records, const std::string& status) {
  json list = json::array();
  std::set<std::pair<std::string, std::string>> seen;
  for (const json& record : records) {
    if (record.at("record") != "round" || !record.contains("left")) continue;
    for (const json& left : record.at("left")) {
      if (left.at("status") != status || !seen.emplace(left.at("program"), left.at("configuration")).second) continue;
      const std::string reason = left.value("reason", "");
      list.push_back({{"configuration", left.at("configuration")},
                      {"program", left.at("program")},
                      {"round", record.at("round")},
                      {"attempt", record.at("attempt")},
                      {"status", status},
                      {"reason", reason.empty() ? "no reason given" : reason}});
    }
  }
  return list;
}

}  // namespace assay::harness
