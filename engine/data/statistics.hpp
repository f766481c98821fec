#pragma once
#include <string>
#include <vector>

#include "engine/data/pipeline_context.hpp"

namespace assay::engine {

/// What one stage did. Times in ns, summed over the threads of a stage. Cheap elements are sampled, so that their times
/// are estimates.
struct StageStatistics {
  std::string path, description;  // "0.0", "batch 64"
  std::int64_t elements = 0;
  double busy = 0;               // own work
  double waiting_for_input = 0;  // reading its inputs, whether they worked or waited
  double blocked_on_output = 0;  // its threads waiting for room in a full buffer
  int threads = 0;               // of its own, now
  std::string asked_by{};        // the stage whose thread asks it for elements; "" for the consumer
  int max_concurrency = 0;       // most calls of its map at one time, since the reader began
};

/// What a pipeline did since its reader began, or in one epoch.
struct PipelineStatistics {
  std::vector<StageStatistics> stages;  // the last stage first
  double waiting = 0, training = 0;     // time of the consumer in next(), and between
  int threads = 0, peak_threads = 0;

  /// The share of its time that the consumer waited.
  double waiting_share() const { return waiting + training > 0 ? waiting / (waiting + training) : 0; }
};

/// Statistics since the counters were `before`, with the consumer's times in ns.
PipelineStatistics statistics_of(const PipelineContext& pipeline, const CountsByPath& before, double waiting,
                                 double training);

/// One line that says which stage holds the pipeline back.
std::string bottleneck(const PipelineStatistics& statistics);
/// A line of headings and one line a stage, its inputs below it and indented.
std::string table(const PipelineStatistics& statistics);

}  // namespace assay::engine
