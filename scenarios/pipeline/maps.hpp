#pragma once
#include <span>

#include "engine/data/pipeline.hpp"

/// The maps of the scenario's pipelines.
namespace assay::scenarios::pipeline {

constexpr std::int64_t side = 28, pixels_a_row = side * side;

/// 3x3 average pooling, stride 1, same padding: a border pixel is the mean of the neighbours that it has.
void average_pool(std::span<const float, pixels_a_row> from, std::span<float, pixels_a_row> to);

/// The shape of the map's output.
enum class Form { image, flat };

/// The published map: uint8 pixels [28, 28, 1] to float32 / 255, four average poolings, normal noise times 0.01. The
/// label stays. `noise` switches the noise on.
engine::MapFunction published_map(Form form = Form::image, bool noise = true);
/// The published map on batches [rows, 28, 28, 1], with the same noise for each row.
engine::MapFunction published_map_on_batches(std::int64_t rows);

/// A cheap map: / 255.
engine::MapFunction scaling_map();
engine::MapFunction scaling_map_on_batches();

/// Divides by 255, then does as many average poolings as take `cost_ns` on one idle core of this machine. Measures that
/// when it is made, which takes about a millisecond.
engine::MapFunction costly_map(double cost_ns);

}  // namespace assay::scenarios::pipeline
