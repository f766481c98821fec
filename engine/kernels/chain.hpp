#pragma once
#include "engine/kernels/request.hpp"

namespace assay::engine {

/// A chain of element-wise operations by the back end's own kernels, one block of elements after the other, so that
/// what lies between two operations never leaves the first-level cache. The values are those of the single operations.
Prepared prepare_chain(const Request& request, const Backend& backend);

}  // namespace assay::engine
