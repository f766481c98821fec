#include "engine/nn/models.hpp"

namespace assay::engine::models {

Model mlp(std::initializer_list<std::int64_t> widths, std::uint64_t seed) {
  Model model(Shape{*widths.begin()}, seed);
  for (const auto* width = widths.begin() + 1; width != widths.end(); ++width) {
    model.dense(*width);
    if (width + 1 != widths.end()) model.relu();
  }
  return model;
}

Model convnet(std::uint64_t seed) {
  Model model(Shape{28, 28, 1}, seed);
  model.conv(16).relu().max_pool().conv(32).relu().max_pool().flatten().dense(128).relu().dense(10);
  return model;
}

Model serving_convnet(std::uint64_t seed) {
  Model model(Shape{28, 28, 1}, seed);
  model.rescaling(1.0 / 255)
      .conv(16)
      .relu()
      .max_pool()
      .conv(32)
      .relu()
      .max_pool()
      .flatten()
      .dense(64)
      .relu()
      .dense(10)
      .softmax();
  return model;
}

}  // namespace assay::engine::models
