#include "scenarios/models/load.hpp"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/nn/safetensors.hpp"

namespace assay::scenarios::models {

engine::Model make(const std::string& name, std::uint64_t seed) {
  using Maker = engine::Model (*)(std::uint64_t);
  static const std::map<std::string, Maker> makers{
      {"mlp",
       [](std::uint64_t s) {
         return engine::models::mlp({784, 128, 64, 10}, s);
       }},
      {"convnet", [](std::uint64_t s) { return engine::models::convnet(s); }},
      {"serving", engine::models::serving_convnet}};
  return makers.at(name)(seed);
}

engine::Model load(const harness::Parameters& parameters, const std::string& name) {
  engine::Model model = make(name, parameters.seed);
  engine::load_weights(parameters.artifact(name), model.weights());
  return model;
}

engine::Tensor calling_rows(const harness::Parameters& parameters, std::int64_t rows) {
  return engine::mnist::load(parameters.data).test.first(rows).pixels;
}

int chosen_threads(const harness::Parameters& parameters, std::int64_t batch) {
  std::ifstream file(parameters.artifact("threads"));
  return nlohmann::json::parse(file).at(std::to_string(batch)).get<int>();
}

tracing::Batch first_batch(const harness::Parameters& parameters, const std::string& name) {
  const auto rows = engine::mnist::load(parameters.data).training.first(tracing::batch_rows);
  return {name == "mlp" ? rows.flat() : rows.scaled(), rows.labels};
}

}  // namespace assay::scenarios::models
