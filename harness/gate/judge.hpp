#pragma once
#include <nlohmann/json.hpp>

#include "harness/gate/sequential_gate.hpp"

namespace assay::harness {

/// The row of one benchmark: its verdict (same, regressed, improved, changed, undecided, invalid or skipped) and
/// reason, the estimate and interval of candidate / baseline, what would settle an undecided one, and the raw rounds.
/// `unfit` says why no time is judged at all; it is empty if times are judged.
nlohmann::json judge_benchmark(const BenchmarkState& state, const SequentialGate& gate, const std::string& unfit);

/// The row of a benchmark that was not measured.
nlohmann::json unmeasured_row(const GateBenchmark& benchmark, const std::string& verdict, const std::string& reason);

}  // namespace assay::harness
