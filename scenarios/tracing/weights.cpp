#include "engine/nn/safetensors.hpp"
#include "scenarios/tracing/protocol.hpp"
#include "scenarios/tracing/tracing.hpp"

namespace assay::scenarios::tracing {

void weights(const harness::Parameters& parameters, harness::Reporter& report) {
  const bool mlp = parameters.text("model") == "mlp";
  const engine::Model model =
      mlp ? engine::models::mlp({784, 128, 64, 10}, parameters.seed) : engine::models::serving_convnet(parameters.seed);
  const auto file = parameters.out / "weights.safetensors";
  engine::save_weights(file, model.weights());
  double count = 0;
  for (const auto& variable : model.weights()) count += static_cast<double>(variable.type().shape.elements());
  report.value("parameters", "", "", count);
  report.artifact("weights", file, "safetensors");
}

}  // namespace assay::scenarios::tracing
