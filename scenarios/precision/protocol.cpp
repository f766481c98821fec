#include "scenarios/precision/protocol.hpp"

#include <map>

#include "engine/nn/safetensors.hpp"

namespace assay::scenarios::precision {

engine::Model convnet(const std::filesystem::path& weights, const std::string& policy, std::uint64_t seed) {
  const engine::Model plain = engine::models::convnet(seed);
  engine::load_weights(weights, plain.weights());
  engine::Model model = engine::models::convnet(seed, engine::policy_named(policy));
  model.take_weights(plain);
  return model;
}

Training::Training(engine::Model of, const engine::LossScaleSettings& scaling)
    : model(std::move(of)),
      optimizer(engine::make_adam(model.weights())),
      loss_scale(model.scales_loss() ? std::make_unique<engine::LossScale>(scaling) : nullptr),
      step(model, *optimizer, loss_scale.get()) {}

Formats formats_of(const engine::Plan& plan) {
  std::map<std::string, double> flops;
  double all = 0, emulated = 0;
  for (const auto& step : plan.steps) {
    for (const engine::Work& work : step.prepared.info.work()) {
      flops[std::string(engine::name(work.format)) + (work.emulated ? " emulated" : " native")] += work.flops;
      all += work.flops;
      if (work.emulated) emulated += work.flops;
    }
  }
  Formats found{nlohmann::json::object(), emulated / all};
  for (const auto& [how, work] : flops) found.shares[how] = work / all;
  return found;
}

void report_formats(harness::Reporter& report, const engine::Plan& plan, const std::string& policy) {
  const Formats formats = formats_of(plan);
  report.choose("formats", formats.shares);
  const bool float8 = engine::policy_named(policy).float8;
  if (float8)
    report.choose("float8", "emulated: values on its grid, multiplied by the kernels of the type that carries them");
  report.value("emulated_share", "", "", float8 ? 1 : formats.emulated);
}

}  // namespace assay::scenarios::precision
