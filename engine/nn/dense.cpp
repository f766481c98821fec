#include "engine/nn/layer.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/matmul.hpp"
#include "engine/ops/unary.hpp"
#include "engine/precision/float8_product.hpp"

namespace assay::engine {
namespace {

class Dense final : public Layer {
 public:
  Dense(const std::string& name, std::int64_t inputs, std::int64_t units, Initializer initializer, std::uint64_t seed,
        std::uint64_t stream, const Policy& policy)
      : kernel_(name + "/kernel", cast(initial(initializer, Shape{inputs, units}, seed, stream), policy.variables)),
        bias_(name + "/bias", Tensor::zeros(Shape{units}, policy.variables)),
        float8_(name, policy) {}

  Tensor forward(const Tensor& x, Mode mode) const override {
    const auto product = [](const Tensor& a, const Tensor& b) { return matmul(a, b); };
    return add_bias(float8_.product(x, kernel_.value(), mode == Mode::training, product),
                    cast(bias_.value(), x.dtype()));
  }
  std::vector<Variable> other_state() const override { return float8_.state(); }
  std::vector<const Float8Tensor*> float8_gradients() const override { return float8_.gradients(); }
  std::vector<Variable> weights() const override { return {kernel_, bias_}; }
  Shape output(const Shape&) const override { return bias_.type().shape; }

 private:
  Variable kernel_, bias_;
  Float8Product float8_;
};

}  // namespace

std::unique_ptr<Layer> dense_layer(const std::string& name, std::int64_t inputs, std::int64_t units,
                                   Initializer initializer, std::uint64_t seed, std::uint64_t stream,
                                   const Policy& policy) {
  return std::make_unique<Dense>(name, inputs, units, initializer, seed, stream, policy);
}

}  // namespace assay::engine
