#pragma once
#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/cases/program.hpp"
#include "harness/gate/preset.hpp"

namespace assay::harness {

/// A gate that is over: its document, with a `gate` object, and the folder where it belongs.
struct Gated {
  nlohmann::json document;
  std::filesystem::path folder;
};

/// What is asked of a gate against a stored run.
struct StoredGate {
  std::string against;  // the run's folder or its run.json
  std::filesystem::path candidate;
  std::vector<std::string> asked;  // scenarios; empty: all that the stored run and the candidate share
  Preset preset;
  std::string preset_from;
  int threads = 0;  // 0: as many as the stored run
  std::optional<std::uint64_t> seed;
  std::filesystem::path data, out;
  bool fail_on_undecided = false;
};

/// Whether `--against` names a stored run (a folder with a run.json, or a .json file) and no commit.
bool is_stored_run(const std::string& against);

/// Measures the scenarios of a stored run with the candidate, here and now, as that run was measured (profile, seed,
/// threads, controls off), and compares what may be compared between days and machines: ratios formed inside each run.
/// Nothing where it was stopped. Throws CommandError: 2 for a run that cannot be read or other options than the run's,
/// 4 where nothing is shared.
std::optional<Gated> gate_against_run(const StoredGate& asked, const Program& program, const std::atomic<bool>& stop);

}  // namespace assay::harness
