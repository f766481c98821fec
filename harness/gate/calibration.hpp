#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/gate/preset.hpp"

namespace assay::harness {

/// The gate that a calibration's figures are for: however few a try measures, stage 2 confirms as in a gate of so many.
inline constexpr int benchmarks_of_a_gate = 20;

/// By configuration and metric; none where this machine is too noisy to gate it.
using CalibratedPresets = std::map<std::pair<std::string, std::string>, std::optional<Preset>>;

/// One gate of a calibration as it is kept, a line of tries.jsonl: nothing was changed, or the self-test case was
/// slowed by `slower`. Raw rounds stay: [baseline, copy, candidate, candidate], rounded to 6 digits.
nlohmann::json try_of(const nlohmann::json& gate_document, double slower);

/// The whole lines of tries.jsonl, each checked; a torn last one is dropped. Throws CommandError 5 that names the line
/// and what is wrong with it.
std::vector<nlohmann::json> read_tries(const std::filesystem::path& file);

/// Whether a gate came to a verdict on a benchmark of a try: what broke or was skipped alarmed nobody.
bool judged(const nlohmann::json& benchmark);

/// Whether a try says something: its gate neither withdrew its verdicts nor broke, and came to one.
bool counts(const nlohmann::json& one_try);

/// What the tries of one machine with so many threads come to: false alarms and what was found, with exact intervals;
/// for each benchmark with at least 16 pairs of equal processes its noise, the smallest effect that is seen, the preset
/// that fits it or why none does. A pure function.
nlohmann::json calibration_of(const std::vector<nlohmann::json>& tries, const nlohmann::json& machine, int threads);

/// The standard deviation of one process's log time, from pairs of processes that ran the same: a quarter in each tail
/// is not looked at, so that the slow one in twenty does not count. 0 below 4 pairs.
double noise_of(const std::vector<double>& log_ratios);

/// The smallest effect that a gate of 16 rounds finds with about 80 % chance at this noise.
double detectable_effect_at(double noise, const Preset& preset);

/// The finest preset from `declared` on whose margin is at least that effect; none where even the coarsest is
/// too fine.
std::optional<Preset> fitting_preset(double noise, const Preset& declared);

/// From FOLDER/calibration.json; empty where there is none, or one of another number of threads: noise depends on it.
/// Throws CommandError 5 for a file that is no calibration of this schema.
CalibratedPresets calibrated_presets(const std::filesystem::path& folder, int threads);

}  // namespace assay::harness
