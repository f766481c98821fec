#pragma once
#include <string>

#include <nlohmann/json.hpp>

#include "harness/gate/sequential_gate.hpp"

namespace assay::harness {

/// What a gate was asked, beyond its benchmarks.
struct GateTerms {
  std::string against;  // "origin/main", "itself"
  std::string commit;   // of the baseline; empty where it has none
  std::uint64_t order_seed = 0;
  double budget_s = 0;
  bool fail_on_undecided = false;
  bool same_bytes = false;  // baseline and candidate are one program
  bool self = false;        // the candidate is a copy of the baseline, so any confirmed change is the machine's fault
};

/// The `gate` object of a run document (docs/run_document.md): a row a benchmark, the null control, the exit code with
/// all its causes. A pure function of what was measured.
nlohmann::json gate_section(const SequentialGate& gate, const GateSelection& selection, const GateTerms& terms);

}  // namespace assay::harness
