#pragma once
#include <string>
#include <vector>

#include "engine/data/reading.hpp"

namespace assay::engine {

/// What a stage did. Times in ns; those of stages with threads are summed over them. Cheap elements are sampled, so
/// that their times are estimates.
struct StageStatistics {
  std::string path, description;  // "0.0", "batch 64"
  std::int64_t elements = 0;
  double busy = 0;               // own work
  double waiting_for_input = 0;  // reading its inputs, whether they worked or waited
  double blocked_on_output = 0;  // its threads, full buffers before them
  int threads = 0;               // of its own, now
  std::string asked_by{};        // the stage whose thread asks it for elements; "" is the consumer
  int most_at_once = 0;          // calls of its map, since the reader began
};

/// Of a reading, or of one epoch of it.
struct PipelineStatistics {
  std::vector<StageStatistics> stages;  // the last stage first
  double waiting = 0, training = 0;     // the consumer: in next(), and between
  int threads = 0, most_threads = 0;

  /// Share of its time that the consumer waited.
  double waiting_share() const { return waiting + training > 0 ? waiting / (waiting + training) : 0; }
};

/// Since the counters were `before`; the consumer's times are the caller's.
PipelineStatistics statistics_of(const Reading& reading, const CountsByPath& before, double waiting, double training);

/// One line: which stage holds the pipeline back, and what may help.
std::string bottleneck(const PipelineStatistics& statistics);
/// A stage a line, inputs further in, below a line of headings.
std::string table(const PipelineStatistics& statistics);

}  // namespace assay::engine
