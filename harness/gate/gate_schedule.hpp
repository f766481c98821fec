#pragma once
#include <cstdint>
#include <vector>

#include "harness/gate/sequential_gate.hpp"
#include "harness/run/schedule.hpp"

namespace assay::harness {

/// Every step that a gate may need, and the place of each in the procedure.
struct GateSchedule {
  std::vector<ScheduleStep> steps;
  std::vector<GatePlace> places;
};

/// Plans what the benchmarks need (the candidate alone makes it, so that all sides read one file), then what is counted
/// once, then round 1 of every timed configuration, round 2, and so on through both stages. A round is the baseline,
/// its copy and the candidate twice, in an order drawn from `order_seed`. `programs` are candidate, baseline and null.
/// Throws CatalogueError for needs that the candidate does not offer or that form a circle.
GateSchedule gate_schedule(const std::vector<ProgramCatalogue>& programs, const std::vector<GateBenchmark>& benchmarks,
                           int rounds_of_stage_one, std::uint64_t seed, std::uint64_t order_seed);

}  // namespace assay::harness
