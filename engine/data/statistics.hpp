#pragma once
#include <string>
#include <vector>

#include "engine/data/reading.hpp"

namespace assay::engine {

/// What a stage did since its reader began. Times in ns; those of stages with threads are summed over them. Cheap
/// elements are sampled, so that their times are estimates.
struct StageStatistics {
  std::string path, description;  // "0.0", "batch 64"
  std::int64_t elements = 0;
  double busy = 0;               // own work
  double waiting_for_input = 0;  // reading its inputs, whether they worked or waited
  double blocked_on_output = 0;  // its threads, full buffers before them
  int threads = 0;               // of its own, now
  int most_at_once = 0;          // calls of its map
};

/// Of a whole reading.
struct PipelineStatistics {
  std::vector<StageStatistics> stages;  // the last stage first
  double waiting = 0, training = 0;     // the consumer: in next(), and between
  int threads = 0, most_threads = 0;

  /// Share of its time that the consumer waited.
  double waiting_share() const { return waiting + training > 0 ? waiting / (waiting + training) : 0; }
};

PipelineStatistics statistics_of(const Reading& reading, double waiting, double training);

/// One line: which stage holds the pipeline back, and what may help.
std::string bottleneck(const PipelineStatistics& statistics);
/// The table: a stage a line.
std::string to_string(const PipelineStatistics& statistics);

}  // namespace assay::engine
