#pragma once
#include <limits>

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

/// The logit of a row's label; NaN where the label is no class, so that the loss says so and nothing outside the row is
/// read.
template <class T>
T logit_of(const T* row, std::int32_t label, std::int64_t width) {
  return label >= 0 && label < width ? row[label] : std::numeric_limits<T>::quiet_NaN();
}

}  // namespace assay::engine
