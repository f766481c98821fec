#pragma once
#include "engine/kernels/request.hpp"

namespace assay::engine {

/// Checks the tensors of sgd or adam; throws Unsupported. Returns the number of elements of each parameter.
std::vector<std::int64_t> update_elements(const Request& request);

/// The value of a float32 or float64 scalar tensor.
double scalar_value(const View& view, DType dtype);

/// Adam's step size with the bias corrections folded in: rate * sqrt(1 - beta2^t) / (1 - beta1^t) (Kingma and Ba,
/// section 2, as Keras applies it: epsilon is then added to the square root of the uncorrected moment).
double adam_step_size(const Attributes& attributes, double learning_rate, std::int64_t step);

}  // namespace assay::engine
