#pragma once
#include <memory>
#include <string>

#include "engine/data/mnist.hpp"
#include "engine/nn/models.hpp"
#include "engine/nn/train_step.hpp"
#include "harness/cases/parameters.hpp"
#include "harness/cases/reporter.hpp"

/// What the cases of the scenario share.
namespace assay::scenarios::precision {

/// The convnet of the published protocol under a policy, with float32 weights from a file rounded to what it keeps.
engine::Model convnet(const std::filesystem::path& weights, const std::string& policy, std::uint64_t seed);

/// A model in training: Adam, and dynamic loss scaling where a layer computes in float16.
struct Training {
  explicit Training(engine::Model of, const engine::LossScaleSettings& scaling = {});

  engine::Model model;
  std::unique_ptr<engine::Optimizer> optimizer;
  std::unique_ptr<engine::LossScale> loss_scale;  // null: the policy needs none
  engine::TrainStep step;
};

/// How a plan's work is done: shares of its arithmetic by format and whether that is native ("float16 emulated"), and
/// of what is emulated in all.
struct Formats {
  nlohmann::json shares;
  double emulated = 0;
};
Formats formats_of(const engine::Plan& plan);
/// Says so, of a plan under a policy: a choice `formats` and a value `emulated_share`, which is 1 for float8: kernels
/// of other types multiply its values.
void report_formats(harness::Reporter& report, const engine::Plan& plan, const std::string& policy);

}  // namespace assay::scenarios::precision
