#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/run/schedule.hpp"

namespace assay::harness {

/// The purpose that a gate keeps in its options.
inline constexpr const char* gate_purpose = "gate";

/// A run for another purpose than the first program's own comparisons.
struct RunPurpose {
  std::string purpose;                                      // kept in the record's options: "ablation"
  std::function<Catalogue(const Catalogue&)> of_catalogue;  // of the first program
};

/// What a user asks of a run. The first program is the candidate: its scenarios, profiles and comparisons are used.
struct RunOptions {
  std::vector<std::filesystem::path> programs;
  std::vector<std::string> scenarios;  // empty: all of the first program
  std::string profile = "standard";    // empty: the first program's first
  std::vector<std::string> off;        // controls; {"all"} is every control of the program
  std::uint64_t seed = 0;
  int threads = 0;                             // CPUs that a case may use; 0: all that this process may use
  std::filesystem::path data;                  // empty: each program's own
  std::filesystem::path out;                   // the run's folder: absent or empty
  std::filesystem::path runs{"results/runs"};  // without `out`: where the run's id names a folder
  std::optional<RunPurpose> rewrite{};
};

/// What the runner cannot know itself: the machine (harness/machine).
struct HostContext {
  nlohmann::json machine;                 // {key, identity}; a run is resumed only where the key is equal
  std::function<nlohmann::json()> state;  // taken before and after
  std::filesystem::path own_data{};       // that programs read where no data is named; empty: not known
};

struct Progress {
  int done = 0, total = 0;    // processes
  std::string configuration;  // the one that runs now
  double seconds_left = 0;    // estimate
};

/// A run that is ready to start or to go on.
struct RunPlan {
  std::filesystem::path folder;
  nlohmann::json header;                   // the `run` record
  std::vector<ProgramCatalogue> programs;  // with their paths
  std::vector<ScheduleStep> steps;
  std::vector<int> cpus;  // that cases may run on
  bool resumed = false;
  std::optional<std::uint64_t> padding_seed{};  // draws a length of padding for the environment of each process

  int processes() const;  // of the whole schedule
};

inline const std::atomic<bool> never_stopped{false};

/// A schedule that depends on what was measured (the gate's): asked before every step, told of every record.
struct RunObserver {
  std::function<bool(std::size_t step)> wanted{};            // false: the step is left out
  std::function<void(const nlohmann::json& record)> seen{};  // as written
};

struct RunOutcome {
  int failed = 0, skipped = 0;  // configurations that left their group
  bool finished = false;        // false: stopped, `--resume` goes on
};

/// Asks each program for its catalogue (and to check the data), draws the schedule. Writes nothing.
/// Throws CommandError: 2 for unknown names, unusable data or an output folder that is taken or not writable; 5 for a
/// program that does not speak the protocol; 130 where `stop` ended the asking.
RunPlan prepare_run(const RunOptions& options, const HostContext& host, const std::atomic<bool>& stop = never_stopped);

/// Reads options, programs, seed and schedule from RUN/records.jsonl; asks each program to check the data once more.
/// Writes nothing. Throws CommandError: 2 where the data are gone or unusable; 5 when a program's hash, the data's or
/// the machine key differ; 130 where `stop` ended the asking.
RunPlan prepare_resume(const std::filesystem::path& folder, const HostContext& host,
                       const std::atomic<bool>& stop = never_stopped);

/// "what was measured is kept, go on with: ./assay run --resume FOLDER", for whoever stops before the end.
std::string how_to_go_on(const std::filesystem::path& folder);

/// Takes the machine's lock (CommandError 5 names its holder), creates the folder, runs what is left of the schedule
/// and appends to RUN/records.jsonl. `stop` set from a signal handler ends the case that runs; the records stay
/// resumable.
RunOutcome execute(const RunPlan& plan, const HostContext& host, const std::function<void(const Progress&)>& progress,
                   const std::atomic<bool>& stop, const RunObserver& watch = {});

}  // namespace assay::harness
