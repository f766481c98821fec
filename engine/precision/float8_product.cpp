#include "engine/precision/float8_product.hpp"

#include "engine/ops/unary.hpp"

namespace assay::engine {

Float8Product::Float8Product(const std::string& layer, const Policy& policy) {
  if (!policy.float8) return;
  float8_.emplace(Tensors8{{layer + "/float8_input", DType::float8_e4m3},
                           {layer + "/float8_kernel", DType::float8_e4m3},
                           {layer + "/float8_gradient", DType::float8_e5m2}});
}

Tensor Float8Product::product(const Tensor& x, const Tensor& kernel, bool training,
                              const std::function<Tensor(const Tensor&, const Tensor&)>& multiply) const {
  if (!float8_) return multiply(x, cast(kernel, x.dtype()));
  // The kernel is quantized from its own type: rounding it to 16 bits first would round twice.
  const Tensor w = cast(float8_->kernel.quantized(kernel, training), x.dtype());
  return float8_->gradient.gradient_quantized(multiply(float8_->x.quantized(x, training), w));
}

std::vector<Variable> Float8Product::state() const {
  std::vector<Variable> all;
  if (!float8_) return all;
  for (const Float8Tensor* tensor : {&float8_->x, &float8_->kernel, &float8_->gradient}) {
    for (auto& variable : tensor->state()) all.push_back(std::move(variable));
  }
  return all;
}

std::vector<const Float8Tensor*> Float8Product::gradients() const {
  if (!float8_) return {};
  return {&float8_->gradient};
}

}  // namespace assay::engine
