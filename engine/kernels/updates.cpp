#include "engine/kernels/updates.hpp"

#include <cmath>

namespace assay::engine {

std::vector<std::int64_t> update_elements(const Request& request) {
  const Op op = request.operation.op;
  const std::size_t lists = update_lists(op), parameters = updated_parameters(op, request.in.size());
  require_count(request, parameters * lists + update_scalars(op), parameters * (lists - 1));
  std::vector<std::int64_t> elements;
  for (std::size_t p = 0; p < parameters; ++p) {
    const TensorType& parameter = request.in[p];
    require_float(parameter);
    if (parameter.dtype != request.in[0].dtype) throw Unsupported("parameters of two dtypes in one update");
    for (std::size_t list = 1; list < lists; ++list) {
      const TensorType& other = request.in[list * parameters + p];
      require_shape("gradient and state", parameter.shape, other.shape);
      if (other.dtype != parameter.dtype) throw Unsupported("gradient and state must have the parameter's dtype");
    }
    elements.push_back(static_cast<std::int64_t>(parameter.bytes() / size_of(parameter.dtype)));
  }
  const auto scalars = request.in.last(update_scalars(op));
  require_float(scalars.front());  // learning rate
  require_float(scalars.back());   // apply
  if (op == Op::adam && scalars[1].dtype != DType::int64)
    throw Unsupported("the step must be int64, found " + std::string(name(scalars[1].dtype)));
  return elements;
}

double scalar_value(const View& view, DType dtype) {
  return dtype == DType::float64 ? *view.as<const double>() : static_cast<double>(*view.as<const float>());
}

double adam_step_size(const Attributes& attributes, double learning_rate, std::int64_t step) {
  const auto t = static_cast<double>(step);
  return learning_rate * std::sqrt(1 - std::pow(attributes.beta2, t)) / (1 - std::pow(attributes.beta1, t));
}

}  // namespace assay::engine
