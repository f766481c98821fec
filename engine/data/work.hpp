#pragma once
#include <algorithm>
#include <vector>

#include "engine/data/reading.hpp"

namespace assay::engine {

/// What a stage did between two moments. Times in ns.
struct StageWork {
  const StageState* state = nullptr;
  StageCounts now, since;
  double asking = 0;  // its inputs, whether they worked or waited
  double own = 0;     // own work, summed over threads

  /// Of its map, ns.
  double a_call() const { return own / static_cast<double>(std::max<std::int64_t>(1, since.mapped)); }
};

/// Of every stage that was opened, the last stage first, since its counters were `before`.
std::vector<StageWork> work_since(const Reading& reading, const CountsByPath& before);

/// Whether a stage reads the other, directly or through stages between.
bool is_above(const StageState& one, const StageState& other);

}  // namespace assay::engine
