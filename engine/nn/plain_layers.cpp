// The layers without weights.
#include "engine/nn/layer.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/shape.hpp"
#include "engine/ops/unary.hpp"

namespace assay::engine {
namespace {

class Relu final : public Layer {
 public:
  Tensor forward(const Tensor& x, Mode) const override { return relu(x); }
};

class Softmax final : public Layer {
 public:
  Tensor forward(const Tensor& x, Mode) const override { return softmax(x); }
};

class MaxPool final : public Layer {
 public:
  explicit MaxPool(std::int64_t window) : window_(window) {}
  Tensor forward(const Tensor& x, Mode) const override { return max_pool(x, window_, window_); }
  Shape output(const Shape& in) const override { return Shape{in[0] / window_, in[1] / window_, in[2]}; }

 private:
  std::int64_t window_;
};

class Flatten final : public Layer {
 public:
  Tensor forward(const Tensor& x, Mode) const override { return flatten(x); }
  Shape output(const Shape& in) const override { return Shape{in.elements()}; }
};

class Rescaling final : public Layer {
 public:
  explicit Rescaling(double factor) : factor_(factor) {}
  Tensor forward(const Tensor& x, Mode) const override { return scale(x, factor_); }

 private:
  double factor_;
};

class Dropout final : public Layer {
 public:
  Dropout(const std::string& name, double rate, std::uint64_t seed)
      : key_(name + "/key", Tensor::from<std::int64_t>(Shape{2}, {static_cast<std::int64_t>(seed), 0})), rate_(rate) {}

  Tensor forward(const Tensor& x, Mode mode) const override {
    if (mode == Mode::evaluation) return x;
    const Tensor key = key_.value();
    key_.assign(add_scalar(key, 1));  // both numbers move: another mask at the next call
    return dropout(x, key, rate_);
  }
  std::vector<Variable> other_state() const override { return {key_}; }

 private:
  Variable key_;
  double rate_;
};

}  // namespace

std::unique_ptr<Layer> relu_layer() { return std::make_unique<Relu>(); }
std::unique_ptr<Layer> softmax_layer() { return std::make_unique<Softmax>(); }
std::unique_ptr<Layer> max_pool_layer(std::int64_t window) { return std::make_unique<MaxPool>(window); }
std::unique_ptr<Layer> flatten_layer() { return std::make_unique<Flatten>(); }
std::unique_ptr<Layer> rescaling_layer(double factor) { return std::make_unique<Rescaling>(factor); }
std::unique_ptr<Layer> dropout_layer(const std::string& name, double rate, std::uint64_t seed) {
  return std::make_unique<Dropout>(name, rate, seed);
}

}  // namespace assay::engine
