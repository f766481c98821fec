// The models' weights and the two timed cases. They time training and calls as scenario `tracing` does.
#include <string>

#include "engine/nn/safetensors.hpp"
#include "scenarios/models/load.hpp"
#include "scenarios/models/models.hpp"
#include "scenarios/tracing/protocol.hpp"

namespace assay::scenarios::models {

void weights(const harness::Parameters& parameters, harness::Reporter& report) {
  for (const std::string name : {"mlp", "convnet", "serving"}) {
    const auto file = parameters.out / (name + ".safetensors");
    engine::save_weights(file, make(name, parameters.seed).weights());
    report.artifact(name, file, "safetensors");
  }
}

void step(const harness::Parameters& parameters, harness::Reporter& report) {
  const std::string& name = parameters.text("model");
  const auto [x, labels] = first_batch(parameters, name);
  tracing::time_training_steps(parameters, report, load(parameters, name), {x, labels}, true);
}

void call(const harness::Parameters& parameters, harness::Reporter& report) {
  const std::int64_t batch = parameters.integer("batch");
  engine::Settings settings = engine::settings();
  settings.inference_threads = chosen_threads(parameters, batch);
  report.choose("threads", std::to_string(settings.inference_threads) + ", the fastest in models.threads");
  const engine::SettingsScope scope(settings);
  tracing::time_traced_call(report, load(parameters, "serving"), calling_rows(parameters, batch), "call_time", 1);
}

}  // namespace assay::scenarios::models
