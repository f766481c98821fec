#include "engine/nn/layer.hpp"
#include "engine/ops/layers.hpp"
#include "engine/ops/matmul.hpp"

namespace assay::engine {
namespace {

class Dense final : public Layer {
 public:
  Dense(const std::string& name, std::int64_t inputs, std::int64_t units, Initializer initializer, std::uint64_t seed,
        std::uint64_t stream)
      : kernel_(name + "/kernel", initial(initializer, Shape{inputs, units}, seed, stream)),
        bias_(name + "/bias", Tensor::zeros(Shape{units})) {}

  Tensor forward(const Tensor& x, Mode) const override { return add_bias(matmul(x, kernel_.value()), bias_.value()); }
  std::vector<Variable> weights() const override { return {kernel_, bias_}; }
  Shape output(const Shape&) const override { return bias_.type().shape; }

 private:
  Variable kernel_, bias_;
};

}  // namespace

std::unique_ptr<Layer> dense_layer(const std::string& name, std::int64_t inputs, std::int64_t units,
                                   Initializer initializer, std::uint64_t seed, std::uint64_t stream) {
  return std::make_unique<Dense>(name, inputs, units, initializer, seed, stream);
}

}  // namespace assay::engine
