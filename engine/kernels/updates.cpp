#include "engine/kernels/updates.hpp"

#include <cmath>

namespace assay::engine {

std::int64_t update_elements(const Request& request) {
  const bool adam = request.operation.op == Op::adam;
  const std::size_t tensors = adam ? 4 : 3;  // parameter, gradient, state
  require_count(request, adam ? 7 : 5, adam ? 3 : 2);
  const TensorType& parameter = request.in[0];
  require_float(parameter);
  for (std::size_t i = 1; i < tensors; ++i) {
    require_shape("gradient and state", parameter.shape, request.in[i].shape);
    if (request.in[i].dtype != parameter.dtype) throw Unsupported("gradient and state must have the parameter's dtype");
  }
  require_float(request.in[tensors]);  // learning rate
  require_float(request.in.back());    // apply
  if (adam && request.in[5].dtype != DType::int64) {
    throw Unsupported("the step must be int64, found " + std::string(name(request.in[5].dtype)));
  }
  return static_cast<std::int64_t>(parameter.bytes() / size_of(parameter.dtype));
}

double scalar_value(const View& view, DType dtype) {
  return dtype == DType::float64 ? *view.as<const double>() : static_cast<double>(*view.as<const float>());
}

double adam_step_size(const Attributes& attributes, double learning_rate, std::int64_t step) {
  const auto t = static_cast<double>(step);
  return learning_rate * std::sqrt(1 - std::pow(attributes.beta2, t)) / (1 - std::pow(attributes.beta1, t));
}

}  // namespace assay::engine
