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

/// A finished gate: its document with a `gate` object, and the run's folder.
struct Gated {
  nlohmann::json document;
  std::filesystem::path folder;
};

/// The options of a gate against a stored run.
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

/// Whether `--against` names a stored run (a folder with a run.json, or a .json file) rather than a commit.
bool is_stored_run(const std::string& against);

/// Measures the scenarios of a stored run with the candidate, here and now, with that run's profile, seed, threads and
/// controls. Compares the ratios formed inside each run, since times of other days or machines cannot be compared.
/// Nothing if it was stopped. Throws CommandError 2 for a run that cannot be read or for other options than the run's,
/// and 4 if nothing is shared.
std::optional<Gated> gate_against_run(const StoredGate& asked, const Program& program, const std::atomic<bool>& stop);

}  // namespace assay::harness
