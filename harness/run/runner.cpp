#include "harness/run/runner.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>

#include "harness/cases/case_id.hpp"
#include "harness/cases/sha256.hpp"
#include "harness/run/case_command.hpp"
#include "harness/run/case_record.hpp"
#include "harness/run/clock.hpp"
#include "harness/run/estimate.hpp"
#include "harness/run/machine_lock.hpp"
#include "harness/run/records.hpp"
#include "harness/run/run_error.hpp"
#include "harness/run/run_state.hpp"
#include "harness/run/services.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// A need that cannot be met: the case is not started.
struct Unmet {
  Verdict verdict;
  bool for_good = true;  // false: another attempt may help (a service that did not come up)
};

/// The schedule's execution. Every record goes through `add`, which writes it and then applies it to the state, as a
/// resumed run does.
class Run {
 public:
  Run(const RunPlan& plan, const std::function<void(const Progress&)>& progress, const std::atomic<bool>& stop)
      : plan_(plan),
        progress_(progress),
        stop_(stop),
        records_(plan.folder / "records.jsonl"),
        services_(plan.cpus, [this](const json& record) { add(record); }) {
    const json& options = plan.header.at("options");
    const Catalogue& first = plan.programs.front().catalogue;
    settings_.profile = *first.profile(options.at("profile"));
    settings_.off = options.at("off").get<std::vector<std::string>>();
    settings_.threads = static_cast<int>(plan.cpus.size());
    settings_.cpus = plan.cpus;
    settings_.data = options.at("data").get<std::string>();
    base_seed_ = options.at("seed");
  }

  void add(const json& record) {
    records_.append(record);
    state_.apply(record);
  }

  void replay(const std::vector<json>& records) {
    for (const auto& record : records) {
      state_.apply(record);
      if (record.at("record") == "process" && record.at("wall_s") > 0)
        estimate_.add(Member{record.at("program"), record.at("configuration")}.label(), record.at("wall_s"));
    }
    for (const Artifact& artifact : state_.artifacts()) {
      const fs::path file = plan_.folder / artifact.path;
      const std::string found = fs::is_regular_file(file) ? sha256_of_file(file) : "no file";
      if (found != artifact.sha256)
        throw RunError(5, file.string() + ": made by this run with sha256 " + artifact.sha256 + ", found " + found +
                              "; start a new run");
    }
  }

  /// False when stopped.
  bool all_steps() {
    for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
      if (state_.closed(step)) continue;
      services_.keep_only(services_needed_from(step));
      if (!one_step(step)) return false;
    }
    return true;
  }

  void end_services() { services_.keep_only({}); }

  RunOutcome outcome(bool finished) const {
    RunOutcome result;
    for (const auto& [member, left] : state_.all_left()) ++(left.status == "failed" ? result.failed : result.skipped);
    result.finished = finished;
    return result;
  }
  bool already_ended() const { return state_.ended(); }

 private:
  std::vector<Member> members_in(const Step& step) const {
    std::vector<Member> result;
    for (const auto& member : step.members)
      if (!state_.left(member)) result.push_back(member);
    return result;
  }

  bool one_step(std::size_t index) {
    const Step& step = plan_.steps[index];
    for (int attempt = state_.next_attempt(index); attempt <= 2; ++attempt) {
      const auto members = members_in(step);
      if (members.empty()) return true;
      json left = json::array();
      bool broken = false;
      for (int order = 0; order < static_cast<int>(members.size()); ++order) {
        const Member& member = members[static_cast<std::size_t>(order)];
        show(index, order, member);
        const Position position{index, step.group, step.round, order, attempt, step.seed};
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
  std::optional<json> one_process(const Position& position, const Member& member) {
    unmet_for_good_ = false;
    const fs::path out = folder_of(member, position.seed);
    CaseInputs inputs;
    if (const auto unmet = meet_needs(member, position.seed, inputs)) {
      if (stop_) return std::nullopt;
      unmet_for_good_ = unmet->for_good;
      return unstarted_record(position, member, unmet->verdict, out);
    }
    const Offer& offer = offer_of(plan_.programs, member.program);
    prepare_inputs(member, position.seed, out, inputs);
    const double limit = limit_s(offer, member.configuration, settings_.profile.name);
    const std::function<void()> idle = [this] { services_.pump(); };
    const CaseRun run = run_to_end(case_command(offer, member.configuration, settings_, inputs), limit, stop_,
                                   services_.any() ? idle : std::function<void()>{});
    if (run.interrupted) return std::nullopt;
    Verdict verdict = judge(run.events, run.ended, run.interference, parse_case_id(member.configuration).case_name);
    if (verdict.status == "ok")
      if (const std::string fault = artifact_fault(run.events, inputs.out); !fault.empty()) verdict = {"failed", fault};
    estimate_.add(member.label(), run.ended.wall_s);
    std::error_code not_empty;
    fs::remove(inputs.out, not_empty);  // keeps the folder that holds something
    return case_record(position, member, verdict, run, plan_.cpus, out);
  }

  void prepare_inputs(const Member& member, std::uint64_t seed, const fs::path& out, CaseInputs& inputs) {
    inputs.seed = seed;
    inputs.budget = budget_of(member);
    inputs.out = plan_.folder / out;
    fs::remove_all(inputs.out);
    fs::create_directories(inputs.out);
  }

  std::optional<Unmet> meet_needs(const Member& member, std::uint64_t seed, CaseInputs& inputs) {
    for (const auto& need : case_of(plan_.programs, member).needs) {
      const Member from = maker(plan_.programs, member.program, need);
      const std::uint64_t from_seed = need.same_seed ? seed : base_seed_;
      const bool service = case_of(plan_.programs, from).kind == Kind::service;
      if (const auto unmet =
              service ? meet_service(need, from, from_seed, inputs) : meet_artifact(need, from, from_seed, inputs))
        return unmet;
    }
    return std::nullopt;
  }

  std::optional<Unmet> meet_artifact(const Need& need, const Member& from, std::uint64_t seed, CaseInputs& inputs) {
    if (const Artifact* const artifact = state_.artifact(from, seed, need.artifact)) {
      inputs.artifacts[need.artifact] = plan_.folder / artifact->path;
      return std::nullopt;
    }
    const std::string what = "it needs '" + need.artifact + "' of " + from.configuration + ", which ";
    const Left* const left = state_.left(from);
    if (!left) return Unmet{{"failed", what + "made no artifact of that name"}};
    return Unmet{{left->status, what + (left->status == "failed" ? "failed: " : "was skipped: ") + left->reason}};
  }

  std::optional<Unmet> meet_service(const Need& need, const Member& from, std::uint64_t seed, CaseInputs& inputs) {
    if (!services_.runs(from)) {
      CaseInputs own;
      if (const auto unmet = meet_needs(from, seed, own)) return unmet;
      const Offer& offer = offer_of(plan_.programs, from.program);
      const fs::path out = folder_of(from, seed);
      prepare_inputs(from, seed, out, own);
      try {
        services_.start(from, case_command(offer, from.configuration, settings_, own),
                        limit_s(offer, from.configuration, settings_.profile.name), out, stop_);
      } catch (const std::runtime_error& error) {
        return Unmet{{"failed", error.what()}, false};
      }
    }
    inputs.services[need.artifact] = services_.port(from);
    return std::nullopt;
  }

  std::set<Member> services_needed_from(std::size_t first) const {
    std::set<Member> result;
    for (std::size_t step = first; step < plan_.steps.size(); ++step)
      for (const auto& member : members_in(plan_.steps[step]))
        for (const auto& need : case_of(plan_.programs, member).needs)
          if (const Member from = maker(plan_.programs, member.program, need);
              case_of(plan_.programs, from).kind == Kind::service)
            result.insert(from);
    return result;
  }

  /// Relative to the run's folder, one for each configuration and seed.
  static fs::path folder_of(const Member& member, std::uint64_t seed) {
    std::string name = member.configuration;
    std::replace(name.begin(), name.end(), '/', '_');
    return fs::path("artifacts") / member.program / name / ("seed-" + std::to_string(seed));
  }

  /// An equal share of what the scenario may take, so that a slow machine repeats less instead of running for hours.
  std::chrono::milliseconds budget_of(const Member& member) const {
    const std::string scenario = member.configuration.substr(0, member.configuration.find('.'));
    const auto& budgets = offer_of(plan_.programs, member.program).catalogue.scenario(scenario)->budget_s;
    const auto budget = budgets.find(settings_.profile.name);
    if (budget == budgets.end()) return CaseInputs{}.budget;
    int sharing = 0;
    for (const auto& step : plan_.steps)
      for (const auto& other : step.members)
        if (other.program == member.program && other.configuration.starts_with(scenario + ".")) ++sharing;
    return std::chrono::milliseconds(
        std::max<std::int64_t>(1, static_cast<std::int64_t>(budget->second * 1000) / std::max(1, sharing)));
  }

  void show(std::size_t index, int order, const Member& member) const {
    if (!progress_) return;
    Progress now;
    now.configuration = member.label();
    if (plan_.programs.size() == 1) now.configuration = member.configuration;
    for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
      const auto members = members_in(plan_.steps[step]);
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
  const std::function<void(const Progress&)>& progress_;
  const std::atomic<bool>& stop_;
  Records records_;
  RunState state_;
  Services services_;
  Estimate estimate_;
  CaseSettings settings_;
  std::uint64_t base_seed_ = 0;
  bool unmet_for_good_ = false;  // of the last process
};

json state_of(const Surroundings& surroundings) { return surroundings.state ? surroundings.state() : json(nullptr); }

}  // namespace

RunOutcome execute(const RunPlan& plan, const Surroundings& surroundings,
                   const std::function<void(const Progress&)>& progress, const std::atomic<bool>& stop) {
  const MachineLock lock;
  try {
    try {
      fs::create_directories(plan.folder);
    } catch (const fs::filesystem_error& error) {
      throw RunError(2, plan.folder.string() + ": the run's folder cannot be made (" + error.code().message() + ")");
    }
    Run run(plan, progress, stop);
    if (plan.resumed) {
      run.replay(read_records(plan.folder / "records.jsonl"));
      if (run.already_ended()) return run.outcome(true);
      run.add({{"record", "resume"}, {"created", utc_now()}, {"state_before", state_of(surroundings)}});
    } else {
      json header = plan.header;
      header["state_before"] = state_of(surroundings);
      run.add(header);
    }
    const bool finished = run.all_steps();
    run.end_services();
    if (finished) run.add({{"record", "end"}, {"state_after", state_of(surroundings)}});
    return run.outcome(finished);
  } catch (const std::system_error& error) {  // no space, a folder that cannot be written, no further process
    throw RunError(5, error.what());
  }
}

}  // namespace assay::harness
