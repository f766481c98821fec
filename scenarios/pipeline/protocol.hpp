#pragma once
#include <string>
#include <vector>

#include "engine/data/reader.hpp"
#include "harness/cases/parameters.hpp"
#include "harness/cases/reporter.hpp"
#include "scenarios/pipeline/maps.hpp"

/// What the cases of the scenario share: the rows of the published protocol, and how a pipeline is read and described.
namespace assay::scenarios::pipeline {

constexpr std::int64_t batch_rows = 64;

/// The names of all controls of a pipeline, in the order of the table.
std::vector<std::string> data_controls();

/// The first `rows` training rows, raw: pixels uint8 [rows, 28, 28, 1], labels int32.
engine::Pipeline first_rows(const harness::Parameters& parameters, std::int64_t rows);

/// The case's seed, controls and cores; one training thread.
engine::ReadOptions read_options(const harness::Parameters& parameters);

/// What reading one epoch gave.
struct Epoch {
  std::int64_t rows = 0, batches = 0;
  double first = 0;    // sum of the batches' first bytes, so that every batch is read
  double seconds = 0;  // wall time
};
/// Reads the rest of the reader's epoch, and one byte of each batch.
Epoch read_epoch(engine::Reader& reader);
/// Reads the next epoch, and includes its start in the time.
Epoch read_next_epoch(engine::Reader& reader);

/// The pipeline in one line, last stage first.
std::string in_a_line(const engine::Stage& last);
/// Reports, as choices, the pipeline as asked for and as read, what was tuned and why, and the bottleneck.
void report_pipeline(harness::Reporter& report, const engine::Pipeline& asked, const engine::Reader& reader);

/// Reads the reader's first epoch. Checks that it has all rows, and that calling the map directly gives the bits of the
/// first batch.
void check_first_epoch(harness::Reporter& report, engine::Reader& reader, const engine::Pipeline& source,
                       const engine::MapFunction& map, std::int64_t rows, std::uint64_t seed);

/// Keeps this core busy for as long, as a training step would.
void busy_step(double ns);

}  // namespace assay::scenarios::pipeline
