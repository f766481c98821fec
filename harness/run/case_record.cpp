#include "harness/run/case_record.hpp"

#include "harness/files/sha256.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;

json null_unless(bool holds, json value) { return holds ? std::move(value) : json(nullptr); }

json common(const SchedulePosition& position, const ProgramConfiguration& member, const CaseOutcome& outcome,
            const std::filesystem::path& out) {
  return {{"record", "process"},
          {"step", null_unless(position.in_schedule, position.step)},
          {"group", position.group},
          {"round", null_unless(position.in_schedule, position.round)},
          {"order", null_unless(position.in_schedule, position.order)},
          {"attempt", position.attempt},
          {"configuration", member.configuration},
          {"program", member.program},
          {"seed", position.seed},
          {"status", outcome.status},
          {"reason", outcome.reason},
          {"out", out.string()}};
}

}  // namespace

json case_record(const SchedulePosition& position, const ProgramConfiguration& member, const CaseOutcome& outcome,
                 const CaseRun& run, const std::vector<int>& cpus, const std::filesystem::path& out) {
  const ProcessResult& ended = run.ended;
  json record = common(position, member, outcome, out);
  record["exit"] =
      null_unless(ended.started, {{"code", null_unless(ended.signal == 0, ended.code)}, {"signal", ended.signal}});
  record["wall_s"] = ended.wall_s;
  record["spawn_ms"] = ended.spawn_ms;
  record["parse_ms"] = run.parse_ms;
  record["steal_percent"] = ended.steal_percent;
  record["context_switches"] = {{"voluntary", ended.voluntary}, {"involuntary", ended.involuntary}};
  record["cpus"] = cpus;
  record["stderr_tail"] = ended.stderr_tail;
  record["left_behind"] = ended.left_behind;
  record["events"] = run.events;
  return record;
}

json unstarted_record(const SchedulePosition& position, const ProgramConfiguration& member, const CaseOutcome& outcome,
                      const std::filesystem::path& out) {
  json record = common(position, member, outcome, out);
  record["exit"] = nullptr;
  record["wall_s"] = record["spawn_ms"] = record["parse_ms"] = record["steal_percent"] = 0.0;
  record["context_switches"] = {{"voluntary", 0}, {"involuntary", 0}};
  record["cpus"] = json::array();
  record["stderr_tail"] = "";
  record["left_behind"] = 0;
  record["events"] = json::array();
  return record;
}

std::string artifact_fault(const std::vector<json>& events, const std::filesystem::path& out) {
  for (const auto& event : events) {
    if (event.at("event") != "artifact") continue;
    const std::string name = "artifact '" + event.at("name").get<std::string>() + "': ";
    const std::filesystem::path relative = event.at("path").get<std::string>();
    std::error_code ignored;
    const auto file = std::filesystem::weakly_canonical(out / relative, ignored);
    const auto inside = file.lexically_relative(std::filesystem::weakly_canonical(out, ignored));
    if (inside.empty() || *inside.begin() == "..") return name + relative.string() + " lies outside of --out";
    if (!std::filesystem::is_regular_file(file, ignored)) return name + relative.string() + " is no file";
    const std::string found = sha256_of_file(file), expected = event.at("sha256");
    if (found != expected) return name + relative.string() + " has sha256 " + found + ", its event says " + expected;
  }
  return "";
}

}  // namespace assay::harness
