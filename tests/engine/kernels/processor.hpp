#pragma once
#include <optional>

#include "engine/core/dtype.hpp"

namespace assay::engine::testing {

/// Whether the processor has instructions for products of a 16-bit type, by what the operating system says; none where
/// it does not say.
std::optional<bool> processor_has(DType dtype);

}  // namespace assay::engine::testing
