#include "engine/nn/optimizer.hpp"

#include "engine/ops/arithmetic.hpp"
#include "engine/ops/unary.hpp"

namespace assay::engine {
namespace {

std::vector<Variable> slots(const std::vector<Variable>& weights, const std::string& name) {
  std::vector<Variable> result;
  for (const Variable& weight : weights) {
    const DType type = is_narrow(weight.type().dtype) ? DType::float32 : weight.type().dtype;  // see ops/update.cpp
    result.emplace_back("optimizer/" + name + "/" + weight.name(), Tensor::zeros(weight.type().shape, type));
  }
  return result;
}

class Sgd final : public Optimizer {
 public:
  Sgd(const std::vector<Variable>& weights, double learning_rate, const SgdSettings& settings)
      : Optimizer(learning_rate), weights_(weights), velocities_(slots(weights, "velocity")), settings_(settings) {}

  void update(std::span<const Tensor> gradients, const Tensor& switched) override {
    const Tensor rate = learning_rate().value();
    for (std::size_t i = 0; i < weights_.size(); ++i)
      sgd(weights_[i], gradients[i], velocities_[i], rate, switched, settings_);
  }
  std::vector<Variable> state() const override {
    auto all = velocities_;
    all.push_back(learning_rate());
    return all;
  }

 private:
  std::vector<Variable> weights_, velocities_;
  SgdSettings settings_;
};

class Adam final : public Optimizer {
 public:
  Adam(const std::vector<Variable>& weights, double learning_rate, const AdamSettings& settings)
      : Optimizer(learning_rate),
        weights_(weights),
        m_(slots(weights, "m")),
        v_(slots(weights, "v")),
        settings_(settings) {}

  void update(std::span<const Tensor> gradients, const Tensor& switched) override {
    // A skipped step does not count: the counter moves by the switch's 0 or 1 (in float64, exact far beyond any run).
    step_.assign(cast(cast(step_.value(), DType::float64) + cast(switched, DType::float64), DType::int64));
    const Tensor rate = learning_rate().value(), step = step_.value();
    for (std::size_t i = 0; i < weights_.size(); ++i)
      adam(weights_[i], gradients[i], m_[i], v_[i], rate, step, switched, settings_);
  }
  std::vector<Variable> state() const override {
    auto all = m_;
    all.insert(all.end(), v_.begin(), v_.end());
    all.push_back(step_);
    all.push_back(learning_rate());
    return all;
  }

 private:
  std::vector<Variable> weights_, m_, v_;
  Variable step_{"optimizer/step", Tensor::scalar(std::int64_t{0})};
  AdamSettings settings_;
};

}  // namespace

std::unique_ptr<Optimizer> make_sgd(const std::vector<Variable>& weights, double learning_rate,
                                    const SgdSettings& settings) {
  return std::make_unique<Sgd>(weights, learning_rate, settings);
}
std::unique_ptr<Optimizer> make_adam(const std::vector<Variable>& weights, double learning_rate,
                                     const AdamSettings& settings) {
  return std::make_unique<Adam>(weights, learning_rate, settings);
}

}  // namespace assay::engine
