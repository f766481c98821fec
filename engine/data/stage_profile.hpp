#pragma once
#include <algorithm>
#include <vector>

#include "engine/data/pipeline_context.hpp"

namespace assay::engine {

/// Where the time of a stage went between two moments. Times in ns.
struct StageProfile {
  const StageState* state = nullptr;
  StageCounts now, since;
  double inputs = 0;    // in its inputs, whether they worked or waited
  double own_work = 0;  // summed over threads

  double ns_per_call() const { return own_work / static_cast<double>(std::max<std::int64_t>(1, since.mapped)); }
};

/// The profiles of all stages since their counters were `before`, the last stage first.
std::vector<StageProfile> profile_since(const PipelineContext& pipeline, const CountsByPath& before);

/// Whether a stage reads the other one, directly or through stages between them.
bool reads_from(const StageState& stage, const StageState& other);

}  // namespace assay::engine
