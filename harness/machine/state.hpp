#pragma once
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace assay::harness {

/// What changes from moment to moment and moves times: governor, turbo, SMT, load, steal, busy processes, swap, huge
/// pages, address randomisation, throttling. Takes `sample` long. A reading that is not to be had is null, its reason
/// in "unreadable". Fields: time (ISO 8601, UTC), governor, turbo, smt, load_average [1, 5, 15 min], steal_share,
/// cpu_busy_share (all CPUs, this process asleep), load_limit (ASSAY_LOAD_LIMIT, else 0.5: a larger cpu_busy_share
/// makes the machine unfit), busy_processes [{pid, name, cores}], swap_used_bytes,
/// transparent_huge_pages, aslr, thermal_throttles, environment {cleared [names], reported {name: value}}.
nlohmann::json machine_state(std::chrono::milliseconds sample = std::chrono::milliseconds{200});

/// Above which share of the allowed processors the work of others makes the machine unfit: ASSAY_LOAD_LIMIT, else half
/// of them. Throws std::invalid_argument where the variable holds no share.
double load_limit();

/// The settings among them, read below `root` ("/" but in tests).
nlohmann::json machine_settings(const std::filesystem::path& root = "/");

/// What in a state makes measurements doubtful here, one sentence each; empty on a quiet machine. Settings of the
/// processor are no reason: rounds are paired.
std::vector<std::string> concerns(const nlohmann::json& state);

}  // namespace assay::harness
