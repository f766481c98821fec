#pragma once
#include <span>

#include "engine/data/pipeline.hpp"

/// The functions that the scenario's pipelines call.
namespace assay::scenarios::pipeline {

constexpr std::int64_t side = 28, pixels_a_row = side * side;

/// 3x3 average pooling, stride 1, same padding: a border pixel is the mean of the neighbours that it has.
void average_pool(std::span<const float, pixels_a_row> from, std::span<float, pixels_a_row> to);

/// What the map makes of its images.
enum class Form { image, flat };

/// The published map: a row of uint8 pixels [28, 28, 1] to float32 / 255, four average poolings, normal noise x 0.01;
/// the label passes. `noise` off leaves the noise away.
engine::MapFunction published_map(Form form = Form::image, bool noise = true);
/// The same on batches of `rows`: [rows, 28, 28, 1] at once, with the noise that the rows would have one by one.
engine::MapFunction published_map_on_batches(std::int64_t rows);

/// A cheap map: / 255.
engine::MapFunction scaling_map();
engine::MapFunction scaling_map_on_batches();

/// / 255, then as many average poolings as take `cost_ns` here on one idle core. Measured when it is made: about a
/// millisecond.
engine::MapFunction costly_map(double cost_ns);

}  // namespace assay::scenarios::pipeline
