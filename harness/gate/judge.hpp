#pragma once
#include <nlohmann/json.hpp>

#include "harness/gate/sequential_gate.hpp"

namespace assay::harness {

/// The row of one benchmark: verdict (same, regressed, improved, changed, undecided, invalid, skipped), reason,
/// estimate with interval as a ratio candidate / baseline, what an undecided one owes, its raw rounds. `unfit` is the
/// reason why no time is judged at all; empty where there is none.
nlohmann::json judge_benchmark(const BenchmarkState& state, const SequentialGate& gate, const std::string& unfit);

/// The row of a benchmark that only one side has: `new` or `gone`.
nlohmann::json unmeasured_row(const GateBenchmark& benchmark, const std::string& verdict, const std::string& reason);

}  // namespace assay::harness
