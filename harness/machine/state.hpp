#pragma once
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// What affects times and may change from moment to moment: governor, turbo, SMT, load, steal, busy processes, swap,
/// huge pages, address randomisation, throttling and the environment. Takes `sample` long. A missing reading is null,
/// and "unreadable" holds the reason. Fields: time (ISO 8601, UTC), governor, turbo, smt, load_average [1, 5, 15 min],
/// steal_share, cpu_busy_share (all CPUs, this process asleep), load_limit (ASSAY_LOAD_LIMIT, else 0.5: a larger
/// cpu_busy_share makes the machine unfit), busy_processes [{pid, name, cores}], swap_used_bytes,
/// transparent_huge_pages, aslr, thermal_throttles, environment {cleared [names], reported {name: value}}.
nlohmann::json machine_state(std::chrono::milliseconds sample = std::chrono::milliseconds{200});

/// Above which share of the allowed processors the work of others makes the machine unfit: ASSAY_LOAD_LIMIT, else half
/// of them. Throws std::invalid_argument where the variable holds no share.
double load_limit();

/// The part of the state that is read from files, below `root` ("/" except in tests).
nlohmann::json machine_settings(const std::filesystem::path& root = "/");

/// What makes measurements doubtful, one sentence each; empty on a quiet machine. Settings of the processor are not
/// among them, since rounds are paired.
std::vector<std::string> concerns(const nlohmann::json& state);

}  // namespace assay::harness
