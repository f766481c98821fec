#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "harness/errors/errors.hpp"
#include "harness/files/sha256.hpp"
#include "harness/json/json_place.hpp"
#include "harness/machine/affinity.hpp"
#include "harness/machine/clock.hpp"
#include "harness/run/process.hpp"
#include "harness/run/program_catalogue.hpp"
#include "harness/run/records.hpp"
#include "harness/run/runner.hpp"
#include "harness/text/spelling_suggestion.hpp"

namespace assay::harness {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::size_t catalogue_limit_bytes = std::size_t{16} << 20;
constexpr double catalogue_limit_s = 120;  // with --data it reads all data

}  // namespace

std::vector<int> first_cpus(int threads) {
  std::vector<int> result = allowed_cpus();
  if (threads < 0) throw CommandError(2, "--threads " + std::to_string(threads) + ": expected 1 or more");
  if (threads > static_cast<int>(result.size()))
    throw CommandError(2, "--threads " + std::to_string(threads) + ": this process may use " +
                              std::to_string(result.size()) + " CPUs");
  if (threads > 0) result.resize(static_cast<std::size_t>(threads));
  return result;
}

namespace {

/// A program's own message without its name before and the line end after: this one stands under ours.
std::string said_by(std::string text) {
  if (text.starts_with("assay: ")) text.erase(0, 7);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

json ask_for_catalogue(const fs::path& program, const fs::path& data, const std::atomic<bool>& stop,
                       const std::map<std::string, std::string>& environment = {}) {
  ProcessSpec spawn{{program.string(), "cases"}, environment, {}};
  if (!data.empty()) spawn.command.insert(spawn.command.end(), {"--data", data.string()});
  std::string output;
  const auto begin = std::chrono::steady_clock::now();
  Process process(spawn);
  bool too_long = false, too_much = false, stopped = false;
  const auto keep = [&](std::string_view line) {
    if (!too_much) output.append(line).push_back('\n');
  };
  while (process.pump(std::chrono::milliseconds(250), keep)) {
    if (!too_much && process.output_bytes() > catalogue_limit_bytes) {
      too_much = true;
      process.kill();
    }
    if (stop && !stopped) {
      stopped = true;
      process.kill();
    }
    if (!too_long &&
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > catalogue_limit_s) {
      too_long = true;
      process.kill();
    }
  }
  const ProcessResult& ended = process.ended();
  const std::string who = program.string() + " cases";
  if (stopped) throw CommandError(130, "stopped while " + who + " ran; nothing was measured and nothing written");
  if (!ended.started)
    throw CommandError(2, who + ": it could not be started; expected a program that speaks docs/protocol.md");
  if (too_much) throw CommandError(5, who + " printed more than 16 MB; expected one JSON object");
  if (too_long)
    throw CommandError(5, who + " gave no answer in " + std::to_string(static_cast<int>(catalogue_limit_s)) + " s");
  if (ended.code == 2)
    throw CommandError(2, ended.stderr_tail.empty() ? who + ": the data are unusable" : said_by(ended.stderr_tail));
  if (ended.code != 0 || ended.signal != 0)
    throw CommandError(
        5, who + " ended with " +
               (ended.signal ? "signal " + std::to_string(ended.signal) : "exit code " + std::to_string(ended.code)) +
               ": " + ended.stderr_tail);
  try {
    return parse_json(output);
  } catch (const JsonError& error) {
    throw CommandError(5, who + " printed no JSON (" + error.what() + "): " + output.substr(0, 80));
  }
}

void check_known(const std::string& what, const std::vector<std::string>& asked,
                 const std::vector<std::string>& known) {
  for (const auto& name : asked)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw CommandError(2, unknown_name(what, name, known));
}

}  // namespace

void check_run_folder(const fs::path& folder) {
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw CommandError(2, folder.string() + ": a file is in the way of the run's folder");
  if (fs::exists(folder) && !fs::is_empty(folder))
    throw CommandError(2, folder.string() + (fs::exists(folder / "records.jsonl")
                                                 ? ": already holds a run; name another folder, or go on with --resume"
                                                 : ": is not empty; name another folder"));
  fs::path existing = fs::absolute(folder);
  while (!fs::exists(existing)) existing = existing.parent_path();
  if (!fs::is_directory(existing) || access(existing.c_str(), W_OK) != 0)
    throw CommandError(2, folder.string() + ": cannot be written in " + existing.string());
}

ProgramCatalogue query_catalogue(const fs::path& program, const fs::path& data, const std::atomic<bool>& stop) {
  if (!fs::is_regular_file(program) || access(program.c_str(), X_OK) != 0)
    throw CommandError(2, program.string() + ": expected a program that can be executed");
  const fs::path path = fs::canonical(program);
  return {path, read_catalogue(ask_for_catalogue(path, data, stop), path.string())};
}

json describe(const ProgramCatalogue& offer, bool first) {
  json entry{{"name", offer.catalogue.name()}, {"path", offer.path.string()}, {"sha256", sha256_of_file(offer.path)}};
  for (const auto& [key, missing] :
       {std::pair<const char*, json>{"version", ""}, {"commit", ""}, {"dirty", false}, {"build", json::object()}})
    entry[key] = offer.catalogue.program.value(key, missing);
  if (!first) entry["catalogue"] = to_json(offer.catalogue);
  return entry;
}

namespace {

/// A control that needs environment says whether it can act only where that is set, as it is for every case.
void ask_where_environment_is_set(ProgramCatalogue& offer, const fs::path& data, const std::atomic<bool>& stop) {
  std::map<std::string, std::string> environment;
  bool open = false;
  for (const auto& control : offer.catalogue.controls) {
    environment.insert(control.environment_on.begin(), control.environment_on.end());
    open = open || (!control.acts && !control.environment_on.empty());
  }
  if (!open) return;
  const std::string path = offer.path.string();
  const auto there = read_catalogue(ask_for_catalogue(offer.path, data, stop, environment), path).controls;
  for (auto& control : offer.catalogue.controls)
    for (const auto& other : there)
      if (other.name == control.name) {
        control.acts = other.acts;
        control.reason = other.reason;
      }
}

std::vector<ProgramCatalogue> offers_of(const RunOptions& options, const fs::path& data,
                                        const std::atomic<bool>& stop) {
  std::vector<ProgramCatalogue> offers;
  std::set<std::string> names;
  for (const auto& program : options.programs) {
    try {
      offers.push_back(query_catalogue(program, data, stop));
    } catch (const CommandError& error) {
      if (offers.empty() || error.code != 5) throw;
      throw CommandError(5, std::string(error.what()) +
                                "\nThe others can be measured without it: leave it out of --program (run) or "
                                "of --peer (reproduce)");
    }
    ask_where_environment_is_set(offers.back(), data, stop);
    if (!names.insert(offers.back().catalogue.name()).second)
      throw CommandError(2, offers.back().path.string() + ": a second program named '" +
                                offers.back().catalogue.name() + "'; names must differ");
  }
  if (offers.empty()) throw CommandError(2, "no program to measure");
  return offers;
}

/// The hash of the data that the cases read; "" where that is not known.
std::string hash_of_data(const fs::path& data, const HostContext& host) {
  const fs::path& folder = data.empty() ? host.own_data : data;
  if (data.empty() && !fs::is_directory(folder)) return "";
  try {
    return sha256_of_folder(folder);
  } catch (const std::runtime_error& error) {
    throw CommandError(2, std::string("data: ") + error.what());
  }
}

/// As at the beginning of a run: what is left of it would be failed rows, or rows of other data.
void check_data_again(const RunPlan& plan, const HostContext& host, const std::atomic<bool>& stop) {
  const json& options = plan.header.at("options");
  const fs::path data = options.at("data").get<std::string>();
  for (const auto& offer : plan.programs) ask_for_catalogue(offer.path, data, stop);
  const std::string expected = options.value("data_sha256", "");
  if (expected.empty()) return;  // of a version that did not hash them
  const std::string found = hash_of_data(data, host);
  if (found != expected)
    throw CommandError(5, (data.empty() ? host.own_data : data).string() + ": the run was begun with files of sha256 " +
                              expected + ", found " + (found.empty() ? "no folder" : found) +
                              "; put these data back, or start a new run");
}

}  // namespace

RunPlan prepare_run(const RunOptions& options, const HostContext& host, const std::atomic<bool>& stop) {
  RunPlan plan;
  plan.cpus = first_cpus(options.threads);
  if (!options.out.empty()) check_run_folder(options.out);
  const fs::path data = options.data.empty() ? fs::path{} : fs::absolute(options.data).lexically_normal();
  try {
    plan.programs = offers_of(options, data, stop);
    const Catalogue& first = plan.programs.front().catalogue;
    check_known("scenario", options.scenarios, names_of(first.scenarios));
    if (first.profiles.empty())
      throw CommandError(2, plan.programs.front().path.string() +
                                " declares no profile (rounds and lengths), as peers do: it is measured only beside a "
                                "program that does, named first");
    const std::string profile_name = options.profile.empty() ? first.profiles.front().name : options.profile;
    check_known("profile", {profile_name}, names_of(first.profiles));
    std::vector<std::string> controls = names_of(first.controls);
    controls.push_back("all");
    check_known("control", options.off, controls);
    if (options.rewrite) {
      Catalogue rewritten = options.rewrite->of_catalogue(first);
      make_canonical(rewritten);
      validate(rewritten);
      plan.programs.front().catalogue = std::move(rewritten);
    }

    const auto scenarios = options.scenarios.empty() ? names_of(first.scenarios) : options.scenarios;
    const Profile& profile = *first.profile(profile_name);
    plan.steps = schedule(plan.programs, profile, scenarios, options.seed);

    std::string id = utc_now("%Y%m%d-%H%M%S");
    if (options.rewrite) id += "-" + options.rewrite->purpose;
    for (const auto& scenario : scenarios) id += "-" + scenario;
    plan.folder = fs::absolute(options.out.empty() ? options.runs / id : options.out).lexically_normal();
    check_run_folder(plan.folder);
    json programs = json::array(), steps = json::array();
    for (const auto& offer : plan.programs) programs.push_back(describe(offer, programs.empty()));
    for (const auto& step : plan.steps) steps.push_back(to_json(step));
    const json whole = to_json(first);
    const auto resolved = std::find_if(whole.at("profiles").begin(), whole.at("profiles").end(),
                                       [&](const json& p) { return p.at("name") == profile_name; });
    plan.header = {{"record", "run"},
                   {"schema", 1},
                   {"id", id},
                   {"created", utc_now()},
                   {"options",
                    {{"scenarios", scenarios},
                     {"profile", profile_name},
                     {"off", options.off},
                     {"seed", options.seed},
                     {"threads", plan.cpus.size()},
                     {"data", data.string()}}},
                   {"profile", *resolved},
                   {"programs", programs},
                   {"machine", host.machine},
                   {"state_before", nullptr},
                   {"catalogue", whole},
                   {"schedule", steps}};
    if (const std::string hash = hash_of_data(data, host); !hash.empty()) plan.header["options"]["data_sha256"] = hash;
    if (options.rewrite) plan.header["options"]["purpose"] = options.rewrite->purpose;
    return plan;
  } catch (const CatalogueError& error) {
    throw CommandError(5, error.what());
  }
}

RunPlan prepare_resume(const fs::path& folder, const HostContext& host, const std::atomic<bool>& stop) {
  const auto records = read_records(folder / "records.jsonl");
  if (records.empty() || records.front().at("record") != "run")
    throw CommandError(
        5, (folder / "records.jsonl").string() + ": no run record in its first line; nothing to resume, start anew");
  RunPlan plan;
  plan.resumed = true;
  plan.folder = fs::absolute(folder).lexically_normal();
  plan.header = records.front();
  if (plan.header.at("options").value("purpose", "") == gate_purpose)
    throw CommandError(2, folder.string() +
                              ": holds the processes of a gate, which cannot be resumed: its verdicts count the "
                              "rounds of one sitting. Start the gate anew: ./assay gate");
  try {
    const auto key = plan.header.at("machine").at("key"), here = host.machine.at("key");
    if (key != here)
      throw CommandError(5, "this run was begun on machine " + key.dump() + ", here is " + here.dump() +
                                "; a run is resumed only where it began");
    for (const auto& entry : plan.header.at("programs")) {
      const fs::path path = entry.at("path").get<std::string>();
      const std::string expected = entry.at("sha256");
      const std::string found = fs::is_regular_file(path) ? sha256_of_file(path) : "no file";
      if (found != expected)
        throw CommandError(5, path.string() + ": the run was begun with sha256 " + expected + ", found " + found +
                                  "; build that version again, or start a new run");
      plan.programs.push_back(
          {path, read_catalogue(entry.contains("catalogue") ? entry.at("catalogue") : plan.header.at("catalogue"),
                                path.string())});
    }
    for (const auto& step : plan.header.at("schedule")) plan.steps.push_back(read_schedule_step(step));
    const std::size_t threads = plan.header.at("options").at("threads"), allowed = allowed_cpus().size();
    if (threads > allowed)
      throw CommandError(5, "the run was begun with " + std::to_string(threads) + " CPUs, this process may use " +
                                std::to_string(allowed) + "; a run is resumed only with as many");
    plan.cpus = first_cpus(static_cast<int>(threads));
    check_data_again(plan, host, stop);
  } catch (const CatalogueError& error) {
    throw CommandError(5, error.what());
  }
  return plan;
}

int RunPlan::processes() const {
  int count = 0;
  for (const auto& step : steps) count += static_cast<int>(step.members.size());
  return count;
}

}  // namespace assay::harness
