#include "harness/run/runner.hpp"

#include <algorithm>
#include <optional>
#include <system_error>

#include "harness/cases/case_id.hpp"
#include "harness/errors/errors.hpp"
#include "harness/files/sha256.hpp"
#include "harness/machine/clock.hpp"
#include "harness/run/case_command.hpp"
#include "harness/run/case_inputs.hpp"
#include "harness/run/case_record.hpp"
#include "harness/run/dependencies.hpp"
#include "harness/run/machine_lock.hpp"
#include "harness/run/records.hpp"
#include "harness/run/remaining_time.hpp"
#include "harness/run/run_state.hpp"
#include "harness/run/shuffle.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Seconds of each configuration by the catalogue's budgets, where it has any.
std::map<std::string, double> shares_of(const RunPlan& plan) {
  std::map<std::string, double> shares;
  for (const auto& step : plan.steps)
    for (const auto& member : step.members)
      if (!shares.contains(member.label()))
        if (const auto share = budget_share(plan, member)) shares[member.label()] = *share;
  return shares;
}

/// The schedule's execution. Every record goes through `add`, which writes it and then applies it to the state, as a
/// resumed run does.
class Run {
 public:
  Run(const RunPlan& plan, const std::function<void(const Progress&)>& progress, const std::atomic<bool>& stop,
      const RunObserver& watch)
      : plan_(plan),
        watch_(watch),
        progress_(progress),
        stop_(stop),
        records_(plan.folder / "records.jsonl"),
        settings_(settings_of(plan)),
        needs_(plan, settings_, state_, stop, [this](const json& record) { add(record); }),
        estimate_(shares_of(plan)) {}

  void add(const json& record) {
    records_.append(record);
    state_.apply(record);
    if (watch_.seen) watch_.seen(record);
  }

  void replay(const std::vector<json>& records) {
    for (const auto& record : records) {
      state_.apply(record);
      if (record.at("record") == "process" && record.at("wall_s") > 0)
        estimate_.add(ProgramConfiguration{record.at("program"), record.at("configuration")}.label(),
                      record.at("wall_s"));
    }
    for (const Artifact& artifact : state_.artifacts()) {
      const fs::path file = plan_.folder / artifact.path;
      const std::string found = fs::is_regular_file(file) ? sha256_of_file(file) : "no file";
      if (found != artifact.sha256)
        throw CommandError(5, file.string() + ": made by this run with sha256 " + artifact.sha256 + ", found " + found +
                                  "; start a new run");
    }
  }

  /// False when stopped.
  bool all_steps() {
    for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
      if (state_.closed(step) || (watch_.wanted && !watch_.wanted(step))) continue;
      needs_.end_services_unneeded_from(step);
      if (!one_step(step)) return false;
    }
    return true;
  }

  void end_services() { needs_.end_services(); }

  RunOutcome outcome(bool finished) const {
    RunOutcome result;
    for (const auto& [member, left] : state_.all_left()) ++(left.status == "failed" ? result.failed : result.skipped);
    result.finished = finished;
    return result;
  }
  bool already_ended() const { return state_.ended(); }

 private:
  bool one_step(std::size_t index) {
    const ScheduleStep& step = plan_.steps[index];
    for (int attempt = state_.next_attempt(index); attempt <= 2; ++attempt) {
      const auto members = state_.staying(step.members);
      if (members.empty()) return true;
      json left = json::array();
      bool broken = false;
      for (int order = 0; order < static_cast<int>(members.size()); ++order) {
        const ProgramConfiguration& member = members[static_cast<std::size_t>(order)];
        show(index, order, member);
        const SchedulePosition position{index, step.group, step.round, order, attempt, step.seed};
        const auto record = one_process(position, member);
        if (!record) return false;
        add(*record);
        const std::string status = record->at("status");
        if (status == "ok") continue;
        const bool leaves = status == "skipped" || attempt == 2 || unmet_for_good_;
        broken = broken || !leaves;
        if (leaves)
          left.push_back({{"configuration", member.configuration},
                          {"program", member.program},
                          {"status", status},
                          {"reason", record->at("reason")}});
      }
      add({{"record", "round"},
           {"step", index},
           {"group", step.group},
           {"round", step.round},
           {"attempt", attempt},
           {"complete", !broken},
           {"left", left}});
      if (!broken) return true;
    }
    return true;
  }

  /// Nothing when stopped.
  std::optional<json> one_process(const SchedulePosition& position, const ProgramConfiguration& member) {
    unmet_for_good_ = false;
    CaseInputs inputs = inputs_of(plan_, member, position.seed);
    const fs::path out = inputs.out.lexically_relative(plan_.folder);
    if (const auto unmet = needs_.meet(member, position.seed, inputs)) {
      if (stop_) return std::nullopt;
      unmet_for_good_ = unmet->for_good;
      return unstarted_record(position, member, unmet->outcome, out);
    }
    make_empty(inputs.out);
    const ProgramCatalogue& offer = find_program(plan_.programs, member.program);
    const double limit = limit_s(offer, member.configuration, settings_.profile.name);
    ProcessSpec spawn = case_command(offer, member.configuration, settings_, inputs);
    spawn.environment.insert(offer.environment.begin(), offer.environment.end());
    if (plan_.padding_seed) spawn.environment["ASSAY_PADDING"] = padding(position);
    const CaseRun run = run_to_end(spawn, limit, stop_, needs_.idle());
    if (run.interrupted) return std::nullopt;
    CaseOutcome outcome =
        outcome_of(run.events, run.ended, run.interference, parse_case_id(member.configuration).case_name);
    if (outcome.status == "ok")
      if (const std::string fault = artifact_fault(run.events, inputs.out); !fault.empty()) outcome = {"failed", fault};
    estimate_.add(member.label(), run.ended.wall_s);
    std::error_code not_empty;
    fs::remove(inputs.out, not_empty);  // keeps the folder that holds something
    return case_record(position, member, outcome, run, plan_.cpus, out);
  }

  /// The environment lies above the stack: its length shifts every address in it, so that a build's luck with one
  /// layout becomes noise between its processes.
  std::string padding(const SchedulePosition& position) const {
    constexpr std::uint64_t longest = 4096;
    SplitMix64 draws(*plan_.padding_seed, position.group, position.round * 16 + position.order * 2 + position.attempt);
    return std::string(draws.below(longest), 'x');
  }

  void show(std::size_t index, int order, const ProgramConfiguration& member) const {
    if (!progress_) return;
    Progress now;
    now.configuration = member.label();
    if (plan_.programs.size() == 1) now.configuration = member.configuration;
    for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
      if (step < index ? !state_.closed(step) : step > index && watch_.wanted && !watch_.wanted(step)) continue;
      const auto members = state_.staying(plan_.steps[step].members);
      const int count = static_cast<int>(members.size());
      now.total += count;
      if (step < index) now.done += count;
      if (step == index) now.done += order;
      for (int place = 0; place < count; ++place)
        if (step > index || (step == index && place >= order))
          now.seconds_left += estimate_.seconds(members[static_cast<std::size_t>(place)].label());
    }
    progress_(now);
  }

  const RunPlan& plan_;
  const RunObserver& watch_;
  const std::function<void(const Progress&)>& progress_;
  const std::atomic<bool>& stop_;
  Records records_;
  RunState state_;
  const CaseSettings settings_;
  Dependencies needs_;
  RemainingTime estimate_;
  bool unmet_for_good_ = false;  // of the last process
};

std::string what_next(const RunPlan& plan) {
  return plan.header.at("options").value("purpose", "") == gate_purpose ? "then start the gate again"
                                                                        : how_to_go_on(plan.folder);
}

json state_of(const HostContext& host) { return host.state ? host.state() : json(nullptr); }

}  // namespace

std::string how_to_go_on(const fs::path& folder) {
  return "what was measured is kept, go on with: ./assay run --resume " + folder.string();
}

RunOutcome execute(const RunPlan& plan, const HostContext& host, const std::function<void(const Progress&)>& progress,
                   const std::atomic<bool>& stop, const RunObserver& watch) {
  const MachineLock lock;
  bool begun = plan.resumed;  // there is something to go on with
  try {
    try {
      fs::create_directories(plan.folder);
    } catch (const fs::filesystem_error& error) {
      throw CommandError(2,
                         plan.folder.string() + ": the run's folder cannot be made (" + error.code().message() + ")");
    }
    Run run(plan, progress, stop, watch);
    if (plan.resumed) {
      run.replay(read_records(plan.folder / "records.jsonl"));
      if (run.already_ended()) return run.outcome(true);
      run.add({{"record", "resume"}, {"created", utc_now()}, {"state_before", state_of(host)}});
    } else {
      json header = plan.header;
      header["state_before"] = state_of(host);
      run.add(header);
      begun = true;
    }
    const bool finished = run.all_steps();
    run.end_services();
    if (finished) run.add({{"record", "end"}, {"state_after", state_of(host)}});
    return run.outcome(finished);
  } catch (const std::system_error& error) {  // no space, a folder that cannot be written, no further process
    throw CommandError(5, std::string(error.what()) + "; mend that (free space on its disk, say); " +
                              (begun ? what_next(plan) : "then start again: nothing was measured yet"));
  }
}

}  // namespace assay::harness
