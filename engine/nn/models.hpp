#pragma once
#include "engine/nn/model.hpp"

/// The models of the published protocols. They end in logits unless it says softmax. A policy is for all layers but the
/// last, which stays in float32 (float64 where all is).
namespace assay::engine::models {

/// widths {784, 128, 64, 10}: dense layers with ReLU between them.
Model mlp(std::initializer_list<std::int64_t> widths, std::uint64_t seed, const Policy& policy = {});
/// Conv 16 3x3, pool, conv 32 3x3, pool, dense 128, dense 10, on 28x28x1 pixels in [0, 1].
Model convnet(std::uint64_t seed, const Policy& policy = {});
/// The same with dense 64, rescaling (x / 255) inside and softmax at the end: fed raw pixels 0 to 255.
Model serving_convnet(std::uint64_t seed);

}  // namespace assay::engine::models
