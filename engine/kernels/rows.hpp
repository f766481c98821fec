#pragma once
#include "engine/kernels/request.hpp"

namespace assay::engine {

/// A tensor read as rows of its last dimension.
struct Rows {
  std::int64_t count = 0, width = 0;
};

/// Throws Unsupported for a scalar or for rows without elements.
Rows rows_of(const Shape& shape);

/// softmax_cross_entropy and its gradient: the rows of the logits, after checking labels and losses against them.
Rows cross_entropy_rows(const Request& request);

}  // namespace assay::engine
