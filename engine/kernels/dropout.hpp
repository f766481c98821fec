#pragma once
#include "engine/kernels/request.hpp"

namespace assay::engine {

/// The rate of dropout or dropout_gradient, in [0, 1), after checking its tensors. Throws Unsupported.
double dropout_rate(const Request& request);

}  // namespace assay::engine
