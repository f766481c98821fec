#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/gate/preset.hpp"

namespace assay::harness {

/// A calibration's figures are for a gate of this size: stage 2 confirms as in such a gate, however few times a try
/// measures.
inline constexpr int benchmarks_of_a_gate = 20;

/// By configuration and metric; no preset if this machine is too noisy to gate it.
using CalibratedPresets = std::map<std::pair<std::string, std::string>, std::optional<Preset>>;

/// One gate of a calibration as a line of tries.jsonl. Nothing was changed (`slower` is 0), or the self-test case was
/// slowed by `slower`. Keeps the raw rounds [baseline, copy, candidate, candidate], rounded to 6 digits.
nlohmann::json try_of(const nlohmann::json& gate_document, double slower);

/// Reads and checks the lines of tries.jsonl and drops a torn last one. Throws CommandError 5 that names the line and
/// its error.
std::vector<nlohmann::json> read_tries(const std::filesystem::path& file);

/// Whether the gate reached a verdict on this benchmark of a try: it neither broke nor was skipped.
bool judged(const nlohmann::json& benchmark);

/// Whether a try counts: its gate neither broke nor withdrew its verdicts, and reached at least one.
bool counts(const nlohmann::json& one_try);

/// The result of a machine's tries at this number of threads: false alarms and slow-downs found, with exact intervals.
/// For each benchmark with at least 16 pairs of equal processes also its noise, its minimum detectable effect, and the
/// preset that fits or the reason why none does. A pure function.
nlohmann::json calibration_of(const std::vector<nlohmann::json>& tries, const nlohmann::json& machine, int threads);

/// The standard deviation of one process's log time, from the quartile of pairs of processes that ran the same. The one
/// process in twenty that is slow does not enter it. 0 below 4 pairs.
double noise_of(const std::vector<double>& log_ratios);

/// The minimum detectable effect of 16 rounds at this noise of a process.
double detectable_effect_at(double noise, const Preset& preset);

/// The finest preset, not finer than `declared`, whose margin is at least that effect; none if even the coarsest is too
/// fine.
std::optional<Preset> fitting_preset(double noise, const Preset& declared);

/// Reads FOLDER/calibration.json. Empty if there is no such file, or if it is for another number of threads, on which
/// noise depends. Throws CommandError 5 for a file that is no calibration of this schema.
CalibratedPresets calibrated_presets(const std::filesystem::path& folder, int threads);

}  // namespace assay::harness
