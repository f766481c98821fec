#pragma once
#include <cstdint>
#include <vector>

#include "harness/gate/sequential_gate.hpp"
#include "harness/run/schedule.hpp"

namespace assay::harness {

/// A gate's schedule: every step that may be needed, and where it belongs.
struct GateSchedule {
  std::vector<Step> steps;
  std::vector<GatePlace> places;
};

/// First what the benchmarks need (made by the candidate alone: all sides read one file) and what is counted once; then
/// round 1 of every timed configuration, round 2, and so on, through stage 1 and stage 2. A round is the baseline, its
/// copy and the candidate twice, in one of the orders drawn from `order_seed`. Programs: candidate, baseline, null.
/// Throws CatalogueError for needs that the candidate does not offer or that go in a circle.
GateSchedule gate_schedule(const std::vector<Offer>& programs, const std::vector<GateBenchmark>& benchmarks,
                           int rounds_of_stage_one, std::uint64_t seed, std::uint64_t order_seed);

}  // namespace assay::harness
