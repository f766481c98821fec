#include "engine/nn/models.hpp"

namespace assay::engine::models {

namespace {

/// What the last layer follows: 16 bits are too few for what a softmax takes the exponential of.
Policy last_layer(const Policy& policy) { return policy.compute == DType::float64 ? policy : Policy{}; }

}  // namespace

Model mlp(std::initializer_list<std::int64_t> widths, std::uint64_t seed, const Policy& policy) {
  Model model(Shape{*widths.begin()}, seed);
  model.precision(policy);
  for (const auto* width = widths.begin() + 1; width != widths.end(); ++width) {
    if (width + 1 == widths.end()) model.precision(last_layer(policy));
    model.dense(*width);
    if (width + 1 != widths.end()) model.relu();
  }
  return model;
}

Model convnet(std::uint64_t seed, const Policy& policy) {
  Model model(Shape{28, 28, 1}, seed);
  model.precision(policy).conv(16).relu().max_pool().conv(32).relu().max_pool().flatten().dense(128).relu();
  model.precision(last_layer(policy)).dense(10);
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
