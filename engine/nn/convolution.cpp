#include "engine/ops/convolution.hpp"
#include "engine/nn/layer.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/unary.hpp"
#include "engine/precision/float8_product.hpp"

namespace assay::engine {
namespace {

class Convolution final : public Layer {
 public:
  Convolution(const std::string& name, std::int64_t channels, std::int64_t filters, std::int64_t window,
              Padding padding, Initializer initializer, std::uint64_t seed, std::uint64_t stream, const Policy& policy)
      : kernel_(name + "/kernel",
                cast(initial(initializer, Shape{window, window, channels, filters}, seed, stream), policy.variables)),
        bias_(name + "/bias", Tensor::zeros(Shape{filters}, policy.variables)),
        padding_(padding),
        float8_(name, policy) {}

  Tensor forward(const Tensor& x, Mode mode) const override {
    const auto product = [this](const Tensor& a, const Tensor& b) { return conv2d(a, b, 1, padding_); };
    return add_bias(float8_.product(x, kernel_.value(), mode == Mode::training, product),
                    cast(bias_.value(), x.dtype()));
  }
  std::vector<Variable> other_state() const override { return float8_.state(); }
  std::vector<const Float8Tensor*> float8_gradients() const override { return float8_.gradients(); }
  std::vector<Variable> weights() const override { return {kernel_, bias_}; }
  Shape output(const Shape& in) const override {
    const std::int64_t cut = padding_ == Padding::same ? 0 : kernel_.type().shape[0] - 1;
    return Shape{in[0] - cut, in[1] - cut, kernel_.type().shape[3]};
  }

 private:
  Variable kernel_, bias_;
  Padding padding_;
  Float8Product float8_;
};

}  // namespace

std::unique_ptr<Layer> convolution_layer(const std::string& name, std::int64_t channels, std::int64_t filters,
                                         std::int64_t window, Padding padding, Initializer initializer,
                                         std::uint64_t seed, std::uint64_t stream, const Policy& policy) {
  return std::make_unique<Convolution>(name, channels, filters, window, padding, initializer, seed, stream, policy);
}

}  // namespace assay::engine
