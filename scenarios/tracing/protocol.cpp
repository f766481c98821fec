#include "scenarios/tracing/protocol.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/nn/safetensors.hpp"

namespace assay::scenarios::tracing {
namespace {

engine::Model with_weights(engine::Model model, const harness::Parameters& parameters) {
  engine::load_weights(parameters.artifact("weights"), model.weights());
  return model;
}

}  // namespace

engine::Model load_mlp(const harness::Parameters& parameters) {
  return with_weights(engine::models::mlp({784, 128, 64, 10}, parameters.seed), parameters);
}

engine::Model load_serving(const harness::Parameters& parameters) {
  return with_weights(engine::models::serving_convnet(parameters.seed), parameters);
}

Batch first_batch(const harness::Parameters& parameters, std::int64_t rows) {
  const auto set = engine::mnist::load(parameters.data).training.first(rows);
  return {set.flat(), set.labels};
}

double relative_error(double a, double b) { return std::abs(a - b) / std::max(std::abs(b), 1e-30); }

double relative_error(const engine::Tensor& a, const engine::Tensor& b) {
  const auto left = a.as<float>(), right = b.as<float>();
  if (a.shape() != b.shape()) return std::numeric_limits<double>::infinity();
  double worst = 0, largest = 1e-30;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const double error = std::abs(static_cast<double>(left[i]) - static_cast<double>(right[i]));
    if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();  // std::max would drop a NaN
    worst = std::max(worst, error);
    largest = std::max(largest, std::abs(static_cast<double>(right[i])));
  }
  return worst / largest;
}

engine::Settings eager_settings() {
  auto settings = engine::settings();
  settings.controls = settings.controls.without(engine::Control::trace);
  return settings;
}

engine::Settings reference_settings() {
  auto settings = eager_settings();
  settings.only = &engine::reference_backend();
  return settings;
}

}  // namespace assay::scenarios::tracing
