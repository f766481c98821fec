#include "engine/ops/convolution.hpp"
#include "engine/nn/layer.hpp"
#include "engine/ops/layers.hpp"

namespace assay::engine {
namespace {

class Convolution final : public Layer {
 public:
  Convolution(const std::string& name, std::int64_t channels, std::int64_t filters, std::int64_t window,
              Padding padding, Initializer initializer, std::uint64_t seed, std::uint64_t stream)
      : kernel_(name + "/kernel", initial(initializer, Shape{window, window, channels, filters}, seed, stream)),
        bias_(name + "/bias", Tensor::zeros(Shape{filters})),
        padding_(padding) {}

  Tensor forward(const Tensor& x, Mode) const override {
    return add_bias(conv2d(x, kernel_.value(), 1, padding_), bias_.value());
  }
  std::vector<Variable> weights() const override { return {kernel_, bias_}; }
  Shape output(const Shape& in) const override {
    const std::int64_t cut = padding_ == Padding::same ? 0 : kernel_.type().shape[0] - 1;
    return Shape{in[0] - cut, in[1] - cut, kernel_.type().shape[3]};
  }

 private:
  Variable kernel_, bias_;
  Padding padding_;
};

}  // namespace

std::unique_ptr<Layer> convolution_layer(const std::string& name, std::int64_t channels, std::int64_t filters,
                                         std::int64_t window, Padding padding, Initializer initializer,
                                         std::uint64_t seed, std::uint64_t stream) {
  return std::make_unique<Convolution>(name, channels, filters, window, padding, initializer, seed, stream);
}

}  // namespace assay::engine
